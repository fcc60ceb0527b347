/* SPDX-License-Identifier: BSD-3-Clause
 * Names of functions from a text file: /proc/kallsyms, or the perf-PID.map
 * written by a program that generates code at run time. */
#ifndef HPM_STUDY_SYMBOL_SYMBOLTEXT_H
#define HPM_STUDY_SYMBOL_SYMBOLTEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Called for each function; false stops the reading.  `name` lives as long as
 * the text.  Size 0: not known. */
typedef bool (*hpm_symboltext_add)(void *context, uint64_t start, uint64_t size,
                                   const char *name);

/* Read a file of "START SIZE NAME" in hexadecimal; free *ret_text.  False when
 * the file does not exist, or there is no memory. */
bool hpm_symboltext_read_map(const char *path, hpm_symboltext_add add,
                             void *context, char **ret_text);

/* Read the names of the running kernel, without those of its modules.  All
 * addresses are 0 where this user may not see them. */
bool hpm_symboltext_read_kernel(hpm_symboltext_add add, void *context,
                                char **ret_text);

#endif
