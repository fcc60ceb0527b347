/* SPDX-License-Identifier: BSD-3-Clause
 * The views of a survey: what a line of the report is, which lines there are
 * and in what order. */
#ifndef HPM_STUDY_REPORT_VIEW_H
#define HPM_STUDY_REPORT_VIEW_H

#include "report/text.h"
#include "study/report/lineup.h"

/* What a line of the report is. */
enum hpm_view {
    HPM_VIEW_SECTION,
    HPM_VIEW_TREE,
    HPM_VIEW_TASK,   /* a task of a section */
    HPM_VIEW_THREAD, /* a thread of a section */
    HPM_VIEW_METRIC, /* a section, below each metric */
    HPM_VIEW_FILE
};

/* Names of the views; the last is NULL. */
extern const char *const hpm_view_names[];

/* How subjects must be grouped for a view. */
enum hpm_grouping hpm_view_grouping(enum hpm_view view);

struct hpm_view_options {
    enum hpm_view view;
    struct hpm_sort sort;
    bool has_sort; /* the user gave it: tasks and threads are sorted, too */
    const struct hpm_line_filter *filter; /* or NULL */
    struct hpm_text_style style;          /* for text */
};

#endif
