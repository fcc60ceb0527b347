/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics and a study: which columns belong to which leaf, and the counts of
 * rows. */
#ifndef HPM_STUDY_METRIC_STUDYMETRICS_H
#define HPM_STUDY_METRIC_STUDYMETRICS_H

#include "metric/binding.h"
#include "metric/evaluate.h"
#include "study/columns/study.h"

/* In a difference: b - a, and the two sides; else only the first. */
enum hpm_studymetrics_side {
    HPM_STUDYMETRICS_VALUE,
    HPM_STUDYMETRICS_A,
    HPM_STUDYMETRICS_B
};

struct hpm_studymetrics {
    const struct hpm_metrics *metrics;
    const struct hpm_study *study;
    enum hpm_origin *origins; /* by leaf */
    struct hpm_range *ranges; /* by leaf: in `columns` */
    struct hpm_studymetrics_column {
        uint32_t column; /* of the study */
        enum hpm_privilege privilege;
        bool is_refused; /* its domain is not the leaf's */
    } * columns;
    size_t n_columns, columns_capacity;
    struct hpm_studyruns *runs; /* the runs that counted the columns */
    uint32_t time;              /* the column IncSec, or HPM_NO_INDEX */
    uint32_t calls;             /* the column Count, or HPM_NO_INDEX */
    bool shares_nodes; /* there are counts of a node, and several tasks on a
                        * node */
    bool has_wrong;    /* some task's facts name a wrong count */
    size_t *live;      /* leaves that can have a count */
    size_t n_live;
};

/* Find each leaf's columns by the event's name in any spelling.  Columns of
 * metrics are not used, and counters of another domain (metric/privilege.h) are
 * refused.  Where no record has the event, the run's resource usage is used in
 * a record of the whole run.  `metrics` and `study` must live longer than the
 * result. */
bool hpm_studymetrics_init(struct hpm_studymetrics *studymetrics,
                           const struct hpm_metrics *metrics,
                           const struct hpm_study *study,
                           struct hpm_error *err);
void hpm_studymetrics_clear(struct hpm_studymetrics *studymetrics);

/* The machine of a task, for guards and arch. */
struct hpm_platform hpm_studymetrics_platform(const struct hpm_task *task);

/* The count of a leaf in a row; not present where the row has none. */
struct hpm_tally
hpm_studymetrics_count(const struct hpm_studymetrics *studymetrics, size_t leaf,
                       uint32_t row, enum hpm_span span,
                       enum hpm_studymetrics_side side);

/* The value as it is shown: exact where it is made of counts alone and has more
 * digits than a double. */
struct hpm_number hpm_studymetrics_number(const struct hpm_metric_value *value,
                                          double scale);

#endif
