/* SPDX-License-Identifier: BSD-3-Clause
 * Programs installed to serve hpm, not to be typed. */
#ifndef HPM_HELPER_H
#define HPM_HELPER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"

/* Where the helper of that name is: installed as this program was, wherever the
 * whole was moved to, or beside it in the folder it was built in.  The path is
 * added to `path`. */
bool helper_find(const char *name, struct hpm_string *path,
                 struct hpm_error *err);

/* A variable of its environment; NULL takes it out. */
struct helper_variable {
    const char *name;
    const char *value;
};

/* Run it to its end, with no input, what it prints given to standard error, or
 * to nobody.  `arguments` begin with the path; both lists end with NULL.
 * False unless it ended with exit status 0. */
bool helper_run(char *const *arguments, const struct helper_variable *variables,
                bool is_silent, struct hpm_error *err);

#endif
