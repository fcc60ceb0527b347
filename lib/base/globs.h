/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of globs with commas between them, as HPM_ONLY has: "solve*, io". */
#ifndef HPM_BASE_GLOBS_H
#define HPM_BASE_GLOBS_H

#include <stdbool.h>

/* Does one of them match all of the name?  Blanks around a glob are no part of
 * it. */
bool hpm_globs_match(const char *globs, const char *name);

/* The same of a section's label, as the variables HPM_ONLY and HPM_EXCEPT mean
 * it: "" stands for "#instance".  Do they, each NULL where there is none, let
 * the section measure? */
bool hpm_globs_take(const char *only, const char *except, const char *label,
                    int instance);

#endif
