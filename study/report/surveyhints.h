/* SPDX-License-Identifier: BSD-3-Clause
 * The hints of a survey. */
#ifndef HPM_STUDY_REPORT_SURVEYHINTS_H
#define HPM_STUDY_REPORT_SURVEYHINTS_H

#include "report/table.h"
#include "study/report/hints.h"
#include "study/report/view.h"

/* Does a report have hints?  Not where the user asked for certain lines, or for
 * single threads, and already looks for something; and not for a run that is
 * too short. */
bool hpm_surveyhints_are_wanted(const struct hpm_survey *survey,
                                const struct hpm_view_options *options);

/* Append the name of a place: a subject of the survey, which is the context. */
void hpm_surveyhints_name(struct hpm_string *string, size_t subject,
                          const struct hpm_metric *metric, void *survey);

/* Add the cells "hint" and "explained" of a quantity of a subject. */
void hpm_surveyhints_add_mark(struct hpm_table *table,
                              const struct hpm_survey *survey, size_t subject,
                              size_t quantity);

/* Add the hints of each kind of machine. */
void hpm_surveyhints_add_rows(struct hpm_table *table,
                              struct hpm_survey *survey);

#endif
