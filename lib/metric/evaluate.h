/* SPDX-License-Identifier: BSD-3-Clause
 * Values of metrics from counts. */
#ifndef HPM_METRIC_EVALUATE_H
#define HPM_METRIC_EVALUATE_H

#include <stdbool.h>

#include "metric/metrics.h"
#include "metric/metricvalue.h"

/* Counts and values of the whole program, which total() uses. */
struct hpm_whole {
    const struct hpm_tally *counts;
    const struct hpm_metric_value *values;
};

/* Evaluate all metrics from the counts of all leaves, summed over the records
 * the values are for: a ratio divides sums.
 *
 * A metric's value is, in this order: its own counter's; the result of the
 * first of its rules, the best first, whose inputs are all there; what is left
 * of a composition of which it is the one missing part (inferred); the sum of
 * its parts that are there (partial).  If the inputs are there and the result
 * is undefined, it stays undefined: no rule of lower rank is tried, and nothing
 * is inferred.  The state is the worst of the inputs' states; for a partial
 * value, of the present parts' states.  Counters of different domains are not
 * combined: the value is n/a.
 *
 * `whole` is NULL if these counts are the whole program's. */
void hpm_metrics_evaluate(const struct hpm_metrics *metrics,
                          const struct hpm_tally *counts,
                          const struct hpm_whole *whole,
                          struct hpm_metric_value *ret_values);

/* Evaluate only the `n` metrics in `order`, each after all that its value
 * needs: no other metric can be present.  The values of the others keep what
 * hpm_metrics_evaluate made of no counts. */
void hpm_metrics_evaluate_possible(const struct hpm_metrics *metrics,
                                   const size_t *order, size_t n,
                                   const struct hpm_tally *counts,
                                   const struct hpm_whole *whole,
                                   struct hpm_metric_value *values);

/* Is the value more than a count under another name: was it calculated, or can
 * it be judged?  Then reports show it beside the counts. */
bool hpm_metrics_is_derived(const struct hpm_metrics *metrics, size_t metric,
                            const struct hpm_metric_value *value);

/* The verdict on a metric in one thread or process, or, for a metric of the
 * run, in the whole run (metric/language/threshold.h).  It follows from the
 * metric's limits, but is neutral if a metric above it has limits of its own
 * and is not bad. */
enum hpm_verdict hpm_metrics_judge(const struct hpm_metrics *metrics,
                                   const struct hpm_metric_value *values,
                                   size_t metric, enum hpm_precision precision);

/* Why the metric has no verdict, or would have none. */
enum hpm_doubt hpm_metrics_doubt(const struct hpm_metrics *metrics,
                                 const struct hpm_metric_value *values,
                                 size_t metric);

#endif
