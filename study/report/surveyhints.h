/* SPDX-License-Identifier: BSD-3-Clause
 * The hints of a survey. */
#ifndef HPM_STUDY_REPORT_SURVEYHINTS_H
#define HPM_STUDY_REPORT_SURVEYHINTS_H

#include "report/table.h"
#include "study/report/hints.h"
#include "study/report/view.h"

/* Does a report have hints?  Who has asked for some lines, or for single
 * threads, looks for something already; and what is too short has none. */
bool hpm_surveyhints_are_wanted(const struct hpm_survey *survey,
                                const struct hpm_view_options *options);

/* The name of a place, which is a subject; the context is the survey. */
void hpm_surveyhints_name(struct hpm_string *string, size_t subject,
                          const struct hpm_metric *metric, void *survey);

/* The cells "hint" and "explained" of a quantity of a subject. */
void hpm_surveyhints_add_mark(struct hpm_table *table,
                              const struct hpm_survey *survey, size_t subject,
                              size_t quantity);

/* The hints of each kind of machine, one after the other. */
void hpm_surveyhints_add_rows(struct hpm_table *table,
                              struct hpm_survey *survey);

#endif
