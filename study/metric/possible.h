/* SPDX-License-Identifier: BSD-3-Clause
 * Which metrics can be present at all where only some leaves are counted: most
 * definitions ask for counters that a run does not have, and nobody needs to
 * evaluate those for each of its records.
 */
#ifndef HPM_STUDY_METRIC_POSSIBLE_H
#define HPM_STUDY_METRIC_POSSIBLE_H

#include "metric/metrics.h"

struct hpm_possible {
    bool *is_possible; /* per metric */
    size_t *order;     /* those that are, each after all its value needs */
    size_t n;
};

/* Those that can be present when of all leaves only `live` have counts.  All
 * others are absent whatever the counts are.  False when memory runs out. */
bool hpm_possible_init(struct hpm_possible *possible,
                       const struct hpm_metrics *metrics, const size_t *live,
                       size_t n_live, struct hpm_error *err);
void hpm_possible_clear(struct hpm_possible *possible);

#endif
