/* SPDX-License-Identifier: BSD-3-Clause
 * Which functions a user asks for (HPM_FUNCTIONS, hpm functions): a list with commas
 * of globs, such as "solve_*,!*_inline,file:src/io*.c".  A comma within brackets, as
 * of the arguments of a C++ function, belongs to the glob. */
#ifndef HPM_ELF_WANTED_H
#define HPM_ELF_WANTED_H

#include <stdbool.h>
#include <stddef.h>

struct hpm_wanted;

/* Read the list; NULL when memory runs out.  Items that say nothing are passed
 * over. */
struct hpm_wanted *hpm_wanted_new(const char *text);
void hpm_wanted_free(struct hpm_wanted *choice);

/* The length of the first item of a list. */
size_t hpm_wanted_item_length(const char *text);

/* Are functions measured however short they are ("short:keep")? */
bool hpm_wanted_has_short(const struct hpm_wanted *choice);

/* A function is taken if a glob matches one of its names, or a "file:" glob its
 * source file, and no glob with "!" does; a list of "!" alone takes all others.
 * `names` ends with NULL; `file` may be NULL: not known. */
bool hpm_wanted_takes(const struct hpm_wanted *choice, const char *const *names,
                      const char *file);

#endif
