/* SPDX-License-Identifier: BSD-3-Clause
 * The address of a hidden variable of a library in a running program. */
#ifndef TESTS_RECORD_SYMBOL_H
#define TESTS_RECORD_SYMBOL_H

#include <stdint.h>
#include <sys/types.h>

/* The address of `name` in process `pid`, in the library or program that has
 * the function at `neighbour`.  0 if it is not known, for example when the file
 * has no symbol table. */
uintptr_t symbol_find(pid_t pid, uintptr_t neighbour, const char *name);

#endif
