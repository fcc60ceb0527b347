/* SPDX-License-Identifier: BSD-3-Clause
 * All metrics of an experiment: what files and reports show of them. */
#ifndef HPM_METRIC_DERIVED_H
#define HPM_METRIC_DERIVED_H

#include "metric/binding.h"
#include "metric/evaluate.h"

/* One thread at a time. */
struct hpm_derived {
    const struct hpm_metrics *metrics;
    const struct hpm_experiment *experiment;
    struct hpm_binding binding;
    struct hpm_tally *all_counts; /* of all records of the scope asked for
                                   * last */
    struct hpm_metric_value *all_values;
    enum hpm_scope scope;
    bool has_scope;
    struct hpm_tally *counts;           /* of a record */
    struct hpm_metric_value *values[2]; /* per span, of a record */
    size_t records[2];                  /* the number of that record, from 1
                                         * on */
    const bool *is_chosen; /* per metric: the user asked for it; or NULL */
};

/* The metrics of an experiment; `metrics` and `experiment` must outlive the
 * result.  `is_whole_run`: see hpm_binding_init.  NULL when memory runs out. */
struct hpm_derived *hpm_derived_new(const struct hpm_metrics *metrics,
                                    const struct hpm_experiment *experiment,
                                    bool is_whole_run, struct hpm_error *err);

void hpm_derived_free(struct hpm_derived *derived);

/* Do reports show the metric?  Yes if the user asked for it, or if it is more
 * than a count under another name (hpm_metrics_is_derived). */
bool hpm_derived_shows(const struct hpm_derived *derived, size_t metric,
                       const struct hpm_metric_value *value);

/* The values of all metrics in a record, with or without the sections inside
 * it.  They are valid until the next call for the same span. */
const struct hpm_metric_value *hpm_derived_values(struct hpm_derived *derived,
                                                  size_t record,
                                                  enum hpm_span span);

#endif
