/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections measure: HPM_ONLY, HPM_EXCEPT, HPM_SKIP; and which stops close
 * what is open inside their section: HPM_NESTING. */
#ifndef HPM_RECORD_FILTER_H
#define HPM_RECORD_FILTER_H

#include <stdbool.h>
#include <stdint.h>

enum hpm_nesting {
    HPM_NESTING_SCOPES, /* ends of scopes (HPM_LINE_OF_SCOPE in place of a line) */
    HPM_NESTING_STRICT, /* all */
    HPM_NESTING_FREE    /* none: sections may overlap */
};

struct hpm_filter {
    const char *only;   /* comma-separated globs of labels; NULL: all */
    const char *except; /* likewise; NULL: none */
    uint64_t n_skipped; /* first calls of each section that are left out */
    enum hpm_nesting nesting; /* of thread sections */
};

/* Does the section with this label ("" for none: then its name is "#id")
 * measure at all? */
bool hpm_filter_takes(const struct hpm_filter *filter, const char *label,
                      int instance);

#endif
