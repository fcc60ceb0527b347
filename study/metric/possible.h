/* SPDX-License-Identifier: BSD-3-Clause
 * Which metrics can have a value at all where only some leaves are counted.
 * Most definitions need counters that a run does not have, and evaluating these
 * for each record would be a waste.
 */
#ifndef HPM_STUDY_METRIC_POSSIBLE_H
#define HPM_STUDY_METRIC_POSSIBLE_H

#include "metric/metrics.h"

struct hpm_possible {
    bool *is_possible; /* by metric */
    size_t *order;     /* the possible ones, each after all that its value
                        * needs */
    size_t n;
};

/* Find the metrics that can have a value when only the leaves `live` have
 * counts.  All other metrics are absent whatever the counts are.  False when
 * memory runs out. */
bool hpm_possible_init(struct hpm_possible *possible,
                       const struct hpm_metrics *metrics, const size_t *live,
                       size_t n_live, struct hpm_error *err);
void hpm_possible_clear(struct hpm_possible *possible);

#endif
