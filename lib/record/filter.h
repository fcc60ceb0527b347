/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections are measured: HPM_ONLY, HPM_EXCEPT, HPM_SKIP; of which
 * sections single calls are kept: HPM_CALLS; and which stops close sections
 * that are open inside: HPM_NESTING. */
#ifndef HPM_RECORD_FILTER_H
#define HPM_RECORD_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hpm_nesting {
    HPM_NESTING_SCOPES, /* stops by the end of a scope (HPM_LINE_OF_SCOPE as the
                         * line) */
    HPM_NESTING_STRICT, /* all stops */
    HPM_NESTING_FREE    /* no stop: sections may overlap */
};

struct hpm_filter {
    const char *only;   /* comma-separated globs of labels; NULL: all */
    const char *except; /* likewise; NULL: none */
    uint64_t n_skipped; /* first calls of each section that are left out */
    enum hpm_nesting nesting; /* of thread sections */
    const char *calls; /* globs of labels whose single calls are kept, see
                        * hpm_filter_next_calls; NULL: none */
};

/* Is the section with this label ("" for none: then its name is "#id") measured
 * at all? */
bool hpm_filter_takes(const struct hpm_filter *filter, const char *label,
                      int instance);

/* A word of HPM_CALLS: "glob" or "glob:n". */
struct hpm_filter_calls {
    char glob[256];
    size_t n; /* 0: the word is wrong, and `glob` has the whole word, maybe
               * cut */
};

enum { HPM_FILTER_CALLS = 1000, HPM_FILTER_MOST_CALLS = 1000000 };

/* Take the next word of the list; false at its end. */
bool hpm_filter_next_calls(const char **list,
                           struct hpm_filter_calls *ret_calls);

/* How many calls of that section are kept, by the first glob that matches. */
size_t hpm_filter_calls(const struct hpm_filter *filter, const char *label,
                        int instance);

#endif
