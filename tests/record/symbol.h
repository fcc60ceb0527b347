/* SPDX-License-Identifier: BSD-3-Clause
 * Where a running program has a variable that is hidden in a library. */
#ifndef TESTS_RECORD_SYMBOL_H
#define TESTS_RECORD_SYMBOL_H

#include <stdint.h>
#include <sys/types.h>

/* The address of `name` in process `pid`: that of the library, or the program,
 * which has `neighbour`, a function's address.  0 if that is not known, as
 * when the file has no symbol table. */
uintptr_t symbol_find(pid_t pid, uintptr_t neighbour, const char *name);

#endif
