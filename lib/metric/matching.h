/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the leaf of metrics that a counter is, in any spelling. */
#ifndef HPM_METRIC_MATCHING_H
#define HPM_METRIC_MATCHING_H

#include "base/names.h"
#include "metric/metrics.h"

struct hpm_matching {
    const struct hpm_metrics *metrics;
    struct hpm_names exact;  /* aliases of leaves */
    uint32_t *exact_of;      /* per leaf: its alias */
    bool has_events;         /* the next two members are filled */
    struct hpm_names folded; /* aliases of leaves that formulas name as
                              * events */
    size_t *leaves;          /* per folded alias: its leaf; SIZE_MAX: several */
    bool *is_claimed;        /* per exact alias */
    size_t capacity;
    bool failed; /* memory ran out: each later name fails, too */
};

/* `metrics` must outlive the matching.  False when memory runs out. */
bool hpm_matching_init(struct hpm_matching *matching,
                       const struct hpm_metrics *metrics);
void hpm_matching_clear(struct hpm_matching *matching);

/* Say that there is a counter of this spelling: then no other counter is taken
 * for that leaf because of its case.  Where memory runs out hpm_matching_add
 * fails. */
void hpm_matching_claim(struct hpm_matching *matching, const char *counter);

/* Append the alias by which a counter is searched among the leaves' aliases
 * (see metric/alias.h).  A metric's name, or an event's as a definition spells
 * it, has only that alias.  Any other name may be an event in another case, for
 * libpfm4 and PAPI accept events in any case. */
void hpm_matching_add(struct hpm_string *string, struct hpm_matching *matching,
                      const char *counter);

/* The alias of a leaf, not copied: valid as long as the matching. */
const char *hpm_matching_of_leaf(const struct hpm_matching *matching,
                                 size_t leaf);

#endif
