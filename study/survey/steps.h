/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of making a survey, shared by the files that make them.  Each is
 * false when there is no memory. */
#ifndef HPM_STUDY_SURVEY_STEPS_H
#define HPM_STUDY_SURVEY_STEPS_H

#include "study/columns/combine.h"
#include "study/survey/survey.h"

/* Open the definitions for each kind of machine. */
bool hpm_survey_find_machines(struct hpm_survey *survey, struct hpm_error *err);
void hpm_survey_close_machines(struct hpm_survey *survey);

/* List what there can be of a section. */
bool hpm_survey_list_quantities(struct hpm_survey *survey,
                                struct hpm_error *err);

/* List sections, call paths or files, and their rows. */
bool hpm_survey_list_subjects(struct hpm_survey *survey, struct hpm_error *err);

/* Of a thread, of a task, of all of them. */
enum { HPM_SURVEY_LEVELS = 3 };

/* Room for the figures of each level. */
bool hpm_survey_make_room(struct hpm_survey *survey, struct hpm_error *err);

/* Make room for figures, and work out the entries of all subjects. */
bool hpm_survey_fill(struct hpm_survey *survey, struct hpm_error *err);

/* What part of its scope's time each subject is; when all are filled. */
void hpm_survey_share_out(struct hpm_survey *survey);

#endif
