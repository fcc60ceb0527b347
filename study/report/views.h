/* SPDX-License-Identifier: BSD-3-Clause
 * A survey as a report: text for people, one long table for programs. */
#ifndef HPM_STUDY_REPORT_VIEWS_H
#define HPM_STUDY_REPORT_VIEWS_H

#include "base/string.h"
#include "report/format.h"
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

/* "section", "tree" ...; false when it is none. */
bool hpm_view_find(const char *name, enum hpm_view *ret_view);
const char *hpm_view_name(enum hpm_view view);

/* How a survey must be made for a view. */
enum hpm_grouping hpm_view_grouping(enum hpm_view view);

struct hpm_view_options {
    enum hpm_view view;
    struct hpm_sort sort;
    bool has_sort; /* was asked for: tasks and threads are sorted, too */
    const struct hpm_filter *filter; /* or NULL */
    struct hpm_text_style style;     /* of text */
};

/* The report in each format.  Nothing but the string's `failed` can go wrong.
 */
void hpm_view_add_text(struct hpm_string *string, struct hpm_survey *survey,
                       const struct hpm_view_options *options);
void hpm_view_add_csv(struct hpm_string *string, struct hpm_survey *survey,
                      const struct hpm_view_options *options);

/* The threads of one subject in the same columns as CSV has them, in pieces as
 * hpm_survey_visit_some makes them; the first has the header line.  Returns the
 * `from` of the next. */
size_t hpm_view_add_section_csv(struct hpm_string *string,
                                struct hpm_survey *survey, size_t subject,
                                size_t from, size_t most);

void hpm_view_add_json(struct hpm_string *string, struct hpm_survey *survey,
                       const struct hpm_view_options *options);

#endif
