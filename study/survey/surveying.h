/* SPDX-License-Identifier: BSD-3-Clause
 * Making a survey of a study, whole or in parts. */
#ifndef HPM_STUDY_SURVEY_SURVEYING_H
#define HPM_STUDY_SURVEY_SURVEYING_H

#include "study/survey/survey.h"

/* Survey a study, which must live longer than the result.  NULL when there is
 * no memory, or goes_on stopped it. */
struct hpm_survey *hpm_survey_new(const struct hpm_study *study,
                                  const struct hpm_survey_options *options,
                                  struct hpm_error *err);
void hpm_survey_free(struct hpm_survey *survey);

/* Threads may make parts of one survey, each thread its own part; the joined
 * parts equal a survey made at once.  `part` then belongs to the survey. */
void hpm_survey_join(struct hpm_survey *survey, struct hpm_survey *part);

#endif
