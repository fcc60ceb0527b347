/* SPDX-License-Identifier: BSD-3-Clause
 * Which leaf of metrics a counter is, however it is spelled. */
#ifndef HPM_METRIC_MATCHING_H
#define HPM_METRIC_MATCHING_H

#include "base/names.h"
#include "metric/metrics.h"

struct hpm_matching {
    const struct hpm_metrics *metrics;
    struct hpm_names exact;  /* aliases of leaves */
    uint32_t *exact_of;      /* per leaf: its alias */
    bool has_events;         /* the next two are filled */
    struct hpm_names folded; /* of those that formulas name as events */
    size_t *leaves;          /* per folded one: its leaf; SIZE_MAX: several */
    bool *is_claimed;        /* per exact one */
    size_t capacity;
};

/* The metrics must live as long.  False when memory runs out. */
bool hpm_matching_init(struct hpm_matching *matching,
                       const struct hpm_metrics *metrics);
void hpm_matching_clear(struct hpm_matching *matching);

/* There is a counter of this spelling: others are not taken for it. */
void hpm_matching_claim(struct hpm_matching *matching, const char *counter);

/* Append the alias under which a counter is looked for among the leaves' (see
 * metric/alias.h).  The name of a metric, or an event's as a definition spells
 * it, is only that.  Any other one may be an event's in another case, for
 * libpfm4 and PAPI know their events in any. */
void hpm_matching_add(struct hpm_string *string, struct hpm_matching *matching,
                      const char *counter);

/* The same of a leaf, without a copy: the text lasts as long as the matching.
 */
const char *hpm_matching_of_leaf(const struct hpm_matching *matching,
                                 size_t leaf);

#endif
