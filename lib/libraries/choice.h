/* SPDX-License-Identifier: BSD-3-Clause
 * Which functions of libraries are measured: HPM_LIBRARY, a list with commas of
 * lists of functions, each with or without a glob: "lapack,blas:dgemm*,blas:!cblas_*".
 * A list of the user's is named by its path: "./mine.so:read_*". */
#ifndef HPM_LIBRARIES_CHOICE_H
#define HPM_LIBRARIES_CHOICE_H

#include <stdbool.h>

/* Is the function taken, of the list with this name, which is in the library with
 * this path?  Its name or its label must match a glob of the list, and none with
 * "!"; a list named without a glob, or with "!" alone, has all.  `choice` NULL takes
 * all. */
bool hpm_choice_takes(const char *choice, const char *list, const char *path,
                      const char *name, const char *label);

#endif
