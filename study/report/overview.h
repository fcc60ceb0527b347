/* SPDX-License-Identifier: BSD-3-Clause
 * Head and notes of a report: what ran where and when, what was counted, what
 * was not counted, and why. */
#ifndef HPM_STUDY_REPORT_OVERVIEW_H
#define HPM_STUDY_REPORT_OVERVIEW_H

#include "base/string.h"
#include "study/survey/survey.h"

/* Append the lines above the tables, broken at `width` (0: not broken). */
void hpm_overview_add_head(struct hpm_string *string,
                           const struct hpm_survey *survey, size_t width);

/* Append notes, each beginning with "note: ": counters without value and why,
 * what is incomplete, problems of the measurement. */
void hpm_overview_add_notes(struct hpm_string *string,
                            const struct hpm_survey *survey, size_t width);

#endif
