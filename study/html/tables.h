/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of a survey as blocks of a page: for each quantity the values of
 * all sections, and for each section the values of its threads. */
#ifndef HPM_STUDY_HTML_TABLES_H
#define HPM_STUDY_HTML_TABLES_H

#include "study/html/block.h"
#include "study/survey/survey.h"

/* One quantity of all subjects, a row each.  The columns are those of hpm
 * report --format csv, with the same names; "code" and "reason" as for threads
 * (see below); "own reason": why the exclusive value of a metric is in
 * doubt. */
bool hpm_html_add_quantity(struct hpm_string *page,
                           const struct hpm_survey *survey, size_t quantity);

/* How much detail of single threads; less detail the more threads there are. */
enum hpm_html_detail {
    HPM_HTML_ALL,
    HPM_HTML_COUNTS,    /* no metrics */
    HPM_HTML_INCLUSIVE, /* nor exclusive counts */
    HPM_HTML_TIMES,     /* only calls and times */
    HPM_HTML_EXCLUSIVE, /* only exclusive times */
    HPM_HTML_NOTHING
};

/* The threads of one subject, a row each: "place" is the thread, and for each
 * quantity "value 3", "exclusive 3", "share 3", "interval 3", "code 3": state +
 * 16 * verdict + 64 if partial + 128 if doubtful, and "reason 3", one of the
 * block's texts: why it has no value, or no verdict. */
bool hpm_html_add_threads(struct hpm_string *page, struct hpm_survey *survey,
                          size_t subject, enum hpm_html_detail detail);

/* The task and thread of each place of the study. */
bool hpm_html_add_places(struct hpm_string *page,
                         const struct hpm_study *study);

#endif
