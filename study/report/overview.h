/* SPDX-License-Identifier: BSD-3-Clause
 * What a report begins and ends with: what ran where and when, what was
 * counted, and what was not, and why. */
#ifndef HPM_STUDY_REPORT_OVERVIEW_H
#define HPM_STUDY_REPORT_OVERVIEW_H

#include "base/string.h"
#include "study/survey/survey.h"

/* The lines above the tables, broken at `width` (0: not at all). */
void hpm_overview_add_head(struct hpm_string *string,
                           const struct hpm_survey *survey, size_t width);

/* Notes, each begins with "note: ": counters without value and why, what is
 * incomplete, what went wrong while measuring. */
void hpm_overview_add_notes(struct hpm_string *string,
                            const struct hpm_survey *survey, size_t width);

#endif
