/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of globs with commas between them, as HPM_ONLY has: "solve*, io". */
#ifndef HPM_BASE_GLOBS_H
#define HPM_BASE_GLOBS_H

#include <stdbool.h>

/* Does one of the globs match the whole name?  Blanks around a glob do not
 * count. */
bool hpm_globs_match(const char *globs, const char *name);

/* Do the variables HPM_ONLY and HPM_EXCEPT (`only` and `except`, each NULL when
 * not set) let the section with this label measure?  A section with the label
 * "" has the name "#instance". */
bool hpm_globs_take(const char *only, const char *except, const char *label,
                    int instance);

#endif
