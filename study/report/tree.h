/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of one record as text: trees, each line with a value, a verdict and a
 * description. */
#ifndef HPM_STUDY_REPORT_TREE_H
#define HPM_STUDY_REPORT_TREE_H

#include "base/string.h"
#include "metric/evaluate.h"

struct hpm_tree_style {
    const bool *is_chosen; /* by metric: show it, even without a value; NULL:
                            * show metrics derived from the counts */
    bool has_formulas;     /* formulas in place of descriptions */
    bool is_coloured;      /* for a terminal: bad red, good green */
    enum hpm_precision precision;
};

/* Append a metric's value, already divided by its scale, and its unit, as in
 * the lines below: "1,234 s". */
void hpm_tree_add_value(struct hpm_string *string,
                        const struct hpm_metrics *metrics, size_t metric,
                        double value);

/* Append a line for each metric, parts under their wholes:
 *
 *   IPC                               0.799   ! instructions per cycle
 *   ~CYCLES                       1,234,567   cycles
 *     STALL                         234,567   cycles stalled
 *     (other)                     1,000,000
 *
 * "!" is bad, "+" is good, "?" has no verdict because the value is in doubt,
 * with the reason; "~" is incomplete.  Where several parts of a known whole are
 * missing, one line "(other)" stands for them.  A metric without value shows
 * the reason. */
void hpm_tree_add_text(struct hpm_string *string,
                       const struct hpm_metrics *metrics,
                       const struct hpm_metric_value *values,
                       const struct hpm_tree_style *style);

#endif
