/* SPDX-License-Identifier: BSD-3-Clause
 * Running the program hpm: hpm reads performance files, hpmcount only writes
 * them. */
#ifndef HPMCOUNT_SIBLING_H
#define HPMCOUNT_SIBLING_H

#include <stdbool.h>

#include "base/string.h"

/* Run the hpm beside this program, else the one in PATH, in a folder (NULL: the
 * present one), and append its output to `text`.  `arguments` begin with "hpm"
 * and end with NULL.  Returns the exit status; -1 when a signal ended it (errno
 * is 0) or it cannot be run. */
int sibling_run(const char *folder, const char *const *arguments,
                struct hpm_string *text);

/* Did hpm succeed, perhaps with only some of its inputs? */
bool sibling_was_good(int status);

#endif
