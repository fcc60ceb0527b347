/* SPDX-License-Identifier: BSD-3-Clause
 * Helper programs of hpm, which users do not call. */
#ifndef HPM_HELPER_H
#define HPM_HELPER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"

/* Append the path of the helper of that name: installed relative to this
 * program, wherever the package was moved to, or in the folder where it was
 * built. */
bool helper_find(const char *name, struct hpm_string *path,
                 struct hpm_error *err);

/* Append the path of hpmcount: installed beside hpm, or built in the folder
 * beside hpm's. */
bool helper_find_hpmcount(struct hpm_string *path, struct hpm_error *err);

/* A variable of the helper's environment; NULL unsets it. */
struct helper_variable {
    const char *name;
    const char *value;
};

/* Run the helper to its end, without input; its output goes to standard error,
 * or nowhere (`is_silent`).  `arguments` begin with the path; both lists end
 * with NULL.  False unless the exit status is 0. */
bool helper_run(char *const *arguments, const struct helper_variable *variables,
                bool is_silent, struct hpm_error *err);

#endif
