/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of making a survey, shared by the files that do them.  Each step is
 * false when there is no memory. */
#ifndef HPM_STUDY_SURVEY_STEPS_H
#define HPM_STUDY_SURVEY_STEPS_H

#include "study/columns/combine.h"
#include "study/survey/survey.h"

/* Open the definitions for each kind of machine. */
bool hpm_survey_find_machines(struct hpm_survey *survey, struct hpm_error *err);
void hpm_survey_close_machines(struct hpm_survey *survey);

/* List the quantities of sections. */
bool hpm_survey_list_quantities(struct hpm_survey *survey,
                                struct hpm_error *err);

/* List sections, call paths or files, and their rows. */
bool hpm_survey_list_subjects(struct hpm_survey *survey, struct hpm_error *err);

/* Levels: a thread, a task, the whole. */
enum { HPM_SURVEY_LEVELS = 3 };

/* Make memory for the figures of each level. */
bool hpm_survey_make_room(struct hpm_survey *survey, struct hpm_error *err);

/* Make memory for figures, and compute the entries of all subjects. */
bool hpm_survey_fill(struct hpm_survey *survey, struct hpm_error *err);

/* Compute each subject's share of its scope's time, when all are filled. */
void hpm_survey_share_out(struct hpm_survey *survey);

#endif
