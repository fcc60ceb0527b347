/* SPDX-License-Identifier: BSD-3-Clause
 * The program hpm, which reads performance files and hpmcount only writes them:
 * it is run for what needs both. */
#ifndef HPMCOUNT_SIBLING_H
#define HPMCOUNT_SIBLING_H

#include <stdbool.h>

#include "base/string.h"

/* Run the hpm beside this program, else that of PATH, in a folder (NULL: the
 * present one), and append to `text` what it prints.  `arguments` begin with "hpm" and end with NULL.  Its exit status;
 * -1 when it was ended by a signal, errno is 0 then, or cannot be run. */
int sibling_run(const char *folder, const char *const *arguments,
                struct hpm_string *text);

/* Did it do what it should, perhaps with some of its inputs only? */
bool sibling_was_good(int status);

#endif
