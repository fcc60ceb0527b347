/* SPDX-License-Identifier: BSD-3-Clause
 * A survey as a report: text for people, one long table for programs. */
#ifndef HPM_STUDY_REPORT_REPORT_H
#define HPM_STUDY_REPORT_REPORT_H

#include "base/string.h"
#include "study/report/view.h"

/* The report in each format.  The only error is the string's `failed`. */
void hpm_report_add_text(struct hpm_string *string, struct hpm_survey *survey,
                         const struct hpm_view_options *options);
void hpm_report_add_csv(struct hpm_string *string, struct hpm_survey *survey,
                        const struct hpm_view_options *options);

/* The threads of one subject in CSV's columns, in pieces as in
 * hpm_survey_visit_some; the first piece has the header line.  Returns the
 * `from` of the next piece. */
size_t hpm_report_add_section_csv(struct hpm_string *string,
                                  struct hpm_survey *survey, size_t subject,
                                  size_t from, size_t most);

void hpm_report_add_json(struct hpm_string *string, struct hpm_survey *survey,
                         const struct hpm_view_options *options);

/* The JSON report without its data and the last brace. */
void hpm_report_add_json_facts(struct hpm_string *string,
                               struct hpm_survey *survey,
                               const struct hpm_view_options *options);

#endif
