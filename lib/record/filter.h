/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections measure: HPM_ONLY, HPM_EXCEPT, HPM_SKIP; of which single calls
 * are kept: HPM_CALLS; and which stops close what is open inside their section:
 * HPM_NESTING. */
#ifndef HPM_RECORD_FILTER_H
#define HPM_RECORD_FILTER_H

#include <stdbool.h>
#include <stddef.h>
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
    const char *calls; /* globs of labels whose single calls are kept, see
                               hpm_filter_next_calls; NULL: none */
};

/* Does the section with this label ("" for none: then its name is "#id")
 * measure at all? */
bool hpm_filter_takes(const struct hpm_filter *filter, const char *label,
                      int instance);

/* A word of HPM_CALLS: "glob" or "glob:n". */
struct hpm_filter_calls {
    char glob[256];
    size_t n; /* 0: the word is wrong; then `glob` is all of it, maybe cut */
};

enum { HPM_FILTER_CALLS = 1000, HPM_FILTER_MOST_CALLS = 1000000 };

/* Take the next word off the list; false at its end. */
bool hpm_filter_next_calls(const char **list,
                           struct hpm_filter_calls *ret_calls);

/* How many calls of that section are to be kept; by the first glob that fits. */
size_t hpm_filter_calls(const struct hpm_filter *filter, const char *label,
                        int instance);

#endif
