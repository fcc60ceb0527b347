/* SPDX-License-Identifier: BSD-3-Clause
 * Calculating with values of metrics: the number, and how far off it may be. */
#ifndef HPM_METRIC_ARITHMETIC_H
#define HPM_METRIC_ARITHMETIC_H

#include "metric/language/spec.h"
#include "metric/metricvalue.h"

/* Combine two values that are there (not n/a).  An operand that is a count or a
 * metric has its name in `culprit`; the result has none.  The result is n/a if
 * it is undefined, or if the two count different domains. */
struct hpm_metric_value hpm_arithmetic_combine(enum hpm_op_kind kind,
                                               struct hpm_metric_value a,
                                               struct hpm_metric_value b);

struct hpm_metric_value hpm_arithmetic_negate(struct hpm_metric_value value);

/* Begin a sum without parts, then add each part that is there.  Unlike other
 * sums it may be partial. hpm_arithmetic_add_part returns false if the parts
 * count different domains: then the sum is n/a. */
struct hpm_metric_value hpm_arithmetic_no_parts(void);
bool hpm_arithmetic_add_part(struct hpm_metric_value *sum,
                             struct hpm_metric_value part, bool is_first);

/* If the value combines means over different sets of runs, doubt it unless all
 * runs are near their mean. */
void hpm_arithmetic_doubt_means(struct hpm_metric_value *value);

#endif
