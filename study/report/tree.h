/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of one record as text: trees, each line with a value, a verdict and
 * what it is. */
#ifndef HPM_STUDY_REPORT_TREE_H
#define HPM_STUDY_REPORT_TREE_H

#include "base/string.h"
#include "metric/evaluate.h"

struct hpm_tree_style {
    const bool *is_chosen; /* per metric: show it, even without a value; NULL:
                            * show what is derived from the counts */
    bool has_formulas;     /* formulas in place of descriptions */
    bool is_coloured;      /* for a terminal: bad red, good green */
    enum hpm_precision precision;
};

/* Append a metric's value, divided by its scale already, and its unit as these
 * lines have them: "1,234 s". */
void hpm_tree_add_value(struct hpm_string *string,
                        const struct hpm_metrics *metrics, size_t metric,
                        double value);

/* Append a line a metric, parts under their wholes:
 *
 *   IPC                               0.799   ! instructions per cycle
 *   ~CYCLES                       1,234,567   cycles
 *     STALL                         234,567   cycles stalled
 *     (other)                     1,000,000
 *
 * "!" is bad, "+" is good, "?" without a verdict because the value is in doubt,
 * with the reason, "~" incomplete; several parts that are missing from
 * a known whole are one line "(other)".  What has no value says why. */
void hpm_tree_add_text(struct hpm_string *string,
                       const struct hpm_metrics *metrics,
                       const struct hpm_metric_value *values,
                       const struct hpm_tree_style *style);

#endif
