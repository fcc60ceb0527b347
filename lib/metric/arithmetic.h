/* SPDX-License-Identifier: BSD-3-Clause
 * Calculating with values of metrics: the number, and how far off it may be. */
#ifndef HPM_METRIC_ARITHMETIC_H
#define HPM_METRIC_ARITHMETIC_H

#include "metric/language/spec.h"
#include "metric/metricvalue.h"

/* Of two values that are there.  Operands that are counts or other metrics have
 * their names in `culprit`; the result has none.  n/a where it is undefined, and
 * where the two count different domains. */
struct hpm_metric_value hpm_arithmetic_combine(enum hpm_op_kind kind,
                                               struct hpm_metric_value a,
                                               struct hpm_metric_value b);

struct hpm_metric_value hpm_arithmetic_negate(struct hpm_metric_value value);

/* The sum of no parts, to which parts that are there are added.  Unlike other
 * sums it may be partial.  False where they count different domains: then the
 * sum is n/a. */
struct hpm_metric_value hpm_arithmetic_no_parts(void);
bool hpm_arithmetic_add_part(struct hpm_metric_value *sum,
                             struct hpm_metric_value part, bool is_first);

/* A mean over some runs beside one over others: where no run is far from its
 * mean, no run has a value far from theirs, else it is in doubt. */
void hpm_arithmetic_doubt_means(struct hpm_metric_value *value);

#endif
