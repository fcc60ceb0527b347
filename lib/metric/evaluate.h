/* SPDX-License-Identifier: BSD-3-Clause
 * Values of metrics from counts. */
#ifndef HPM_METRIC_EVALUATE_H
#define HPM_METRIC_EVALUATE_H

#include <stdbool.h>

#include "metric/metrics.h"
#include "metric/metricvalue.h"

/* Counts and values of the whole program, which total() asks for. */
struct hpm_whole {
    const struct hpm_tally *counts;
    const struct hpm_metric_value *values;
};

/* Values of all metrics from counts of all leaves, summed over whatever they
 * are to be the values of: ratios divide sums.
 *
 * A metric has its own counter's value, else that of the first of its rules,
 * the best first, whose inputs are all there, else what is left of a
 * composition it is the one missing part of (inferred), else the sum of those
 * parts that are there (partial).  Where the inputs are there and the result is
 * undefined, it stays so: no rule of lower rank is asked, and nothing is
 * inferred.  Its state is the worst of its inputs, a partial one's that of its
 * present parts. Counters of different domains are not combined: the value is
 * n/a.
 *
 * `whole` NULL: these counts are the whole program's. */
void hpm_metrics_evaluate(const struct hpm_metrics *metrics,
                          const struct hpm_tally *counts,
                          const struct hpm_whole *whole,
                          struct hpm_metric_value *ret_values);

/* The same where only these metrics can be present, each after all its value
 * needs.  The values of all others are left as they are: as
 * hpm_metrics_evaluate made them of no counts. */
void hpm_metrics_evaluate_possible(const struct hpm_metrics *metrics,
                                   const size_t *order, size_t n,
                                   const struct hpm_tally *counts,
                                   const struct hpm_whole *whole,
                                   struct hpm_metric_value *values);

/* Is it more than a count under another name?  Then reports show it beside the
 * counts: what was worked out or can be judged. */
bool hpm_metrics_is_derived(const struct hpm_metrics *metrics, size_t metric,
                            const struct hpm_metric_value *value);

/* The verdict on a metric in one thread or process, or of one that is of the
 * run in the whole of it (metric/language/threshold.h): that of its limits, but neutral
 * where a metric above it has limits of its own and is not bad. */
enum hpm_verdict hpm_metrics_judge(const struct hpm_metrics *metrics,
                                   const struct hpm_metric_value *values,
                                   size_t metric, enum hpm_precision precision);

/* Why it has no verdict, or would have none. */
enum hpm_doubt hpm_metrics_doubt(const struct hpm_metrics *metrics,
                                 const struct hpm_metric_value *values,
                                 size_t metric);

#endif
