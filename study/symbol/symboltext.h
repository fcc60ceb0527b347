/* SPDX-License-Identifier: BSD-3-Clause
 * Names of functions from a text: /proc/kallsyms, and the perf-PID.map that a program
 * writes which makes code while it runs. */
#ifndef HPM_STUDY_SYMBOL_SYMBOLTEXT_H
#define HPM_STUDY_SYMBOL_SYMBOLTEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Takes a function; false ends the reading.  `name` lives as long as the text.  A size
 * of 0 is not known. */
typedef bool (*hpm_symboltext_add)(void *context, uint64_t start, uint64_t size,
                                   const char *name);

/* Read a file of "START SIZE NAME" in hexadecimal; its text is to be freed.  False
 * when it is not there, or there is no memory. */
bool hpm_symboltext_read_map(const char *path, hpm_symboltext_add add,
                             void *context, char **ret_text);

/* Read the names of the kernel that runs here, without those of its modules: all at
 * address 0 where this user may not know them. */
bool hpm_symboltext_read_kernel(hpm_symboltext_add add, void *context,
                                char **ret_text);

#endif
