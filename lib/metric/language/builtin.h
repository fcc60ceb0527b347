/* SPDX-License-Identifier: BSD-3-Clause
 * The definition files that come with us, compiled in. */
#ifndef HPM_METRIC_LANGUAGE_BUILTIN_H
#define HPM_METRIC_LANGUAGE_BUILTIN_H

#include <stddef.h>

struct hpm_builtin {
    const char *name; /* "generic.hpm" */
    const char *text;
    size_t length; /* of the text */
};

/* In the order they are to be read; made from metrics/ by metrics/embed. */
extern const struct hpm_builtin hpm_builtins[];
extern const size_t hpm_n_builtins;

#endif
