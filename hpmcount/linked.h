/* SPDX-License-Identifier: BSD-3-Clause
 * The libraries that a program will load when it starts. */
#ifndef HPMCOUNT_LINKED_H
#define HPMCOUNT_LINKED_H

#include "base/error.h"

/* The file of the library of that name, "libfoo.so" or "libfoo.so.1" (or with the
 * beginning of its version), among those that the program's own dynamic linker finds
 * for it in this environment; nothing of the program is run.  A name with a slash is
 * a file: a plug-in that the program loads later.  Free the path with
 * hpm_memory_free; NULL with the reason. */
char *linked_find(const char *program, const char *name, struct hpm_error *err);

#endif
