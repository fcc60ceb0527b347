/* SPDX-License-Identifier: BSD-3-Clause
 * A survey as a report: text for people, one long table for programs. */
#ifndef HPM_STUDY_REPORT_REPORT_H
#define HPM_STUDY_REPORT_REPORT_H

#include "base/string.h"
#include "study/report/view.h"

/* The report in each format.  Nothing but the string's `failed` can go wrong.
 */
void hpm_report_add_text(struct hpm_string *string, struct hpm_survey *survey,
                         const struct hpm_view_options *options);
void hpm_report_add_csv(struct hpm_string *string, struct hpm_survey *survey,
                        const struct hpm_view_options *options);

/* The threads of one subject in the same columns as CSV has them, in pieces as
 * hpm_survey_visit_some makes them; the first has the header line.  Returns the
 * `from` of the next. */
size_t hpm_report_add_section_csv(struct hpm_string *string,
                                  struct hpm_survey *survey, size_t subject,
                                  size_t from, size_t most);

void hpm_report_add_json(struct hpm_string *string, struct hpm_survey *survey,
                         const struct hpm_view_options *options);

/* All of that but its data and the brace at the end. */
void hpm_report_add_json_facts(struct hpm_string *string,
                               struct hpm_survey *survey,
                               const struct hpm_view_options *options);

#endif
