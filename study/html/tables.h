/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of a survey as blocks of a page: of each quantity what all
 * sections have, and of each section what its threads have. */
#ifndef HPM_STUDY_HTML_TABLES_H
#define HPM_STUDY_HTML_TABLES_H

#include "study/html/block.h"
#include "study/survey/survey.h"

/* One quantity of all subjects: a row each, the columns those of hpm report
 * --format csv by their names there; "code" and "reason" as of threads (see below);
 * "own reason": why the exclusive value of a metric is in doubt. */
bool hpm_html_add_quantity(struct hpm_string *page,
                           const struct hpm_survey *survey, size_t quantity);

/* How much is said of single threads; the more of them there are the less. */
enum hpm_html_detail {
    HPM_HTML_ALL,
    HPM_HTML_COUNTS,    /* no metrics */
    HPM_HTML_INCLUSIVE, /* nor exclusive counts */
    HPM_HTML_TIMES,     /* calls and times alone */
    HPM_HTML_EXCLUSIVE, /* their own time alone */
    HPM_HTML_NOTHING
};

/* The threads of one subject: a row each, "place" the thread, and of each
 * quantity "value 3", "exclusive 3", "share 3", "interval 3", "code 3": its
 * state, 16 times its verdict, 64 where it is partial, 128 where it is doubtful,
 * and "reason 3", one of the block's texts: why it has no value, or no verdict. */
bool hpm_html_add_threads(struct hpm_string *page, struct hpm_survey *survey,
                          size_t subject, enum hpm_html_detail detail);

/* The task and thread of each place of the study. */
bool hpm_html_add_places(struct hpm_string *page,
                         const struct hpm_study *study);

#endif
