/* SPDX-License-Identifier: BSD-3-Clause
 * Making a survey of a study, whole or in parts. */
#ifndef HPM_STUDY_SURVEY_SURVEYING_H
#define HPM_STUDY_SURVEY_SURVEYING_H

#include "study/survey/survey.h"

/* Survey a study, which must outlive the result.  NULL when there is no
 * memory, or it was stopped. */
struct hpm_survey *hpm_survey_new(const struct hpm_study *study,
                                  const struct hpm_survey_options *options,
                                  struct hpm_error *err);
void hpm_survey_free(struct hpm_survey *survey);

/* Parts of one survey may be made by several threads, each its own; joined they
 * are what one would have made.  The other part is the survey's from now on. */
void hpm_survey_join(struct hpm_survey *survey, struct hpm_survey *part);

#endif
