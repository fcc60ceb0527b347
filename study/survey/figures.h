/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows: what they have together of each quantity. */
#ifndef HPM_STUDY_SURVEY_FIGURES_H
#define HPM_STUDY_SURVEY_FIGURES_H

#include "study/survey/survey.h"

/* Rows of one subject: of a thread, of a task, or all. */
struct hpm_slice {
    const uint32_t *rows;
    size_t n;
};

/* Calls, times and counters: sums.  figures[] has one per quantity; those of
 * metrics stay as they are. */
void hpm_figures_count(struct hpm_survey *survey, struct hpm_slice slice,
                       struct hpm_figure *figures);

/* Are there process sections of a process and of one that it forked? */
bool hpm_figures_are_twice(struct hpm_survey *survey, struct hpm_slice slice);

/* Which limits a figure has, and how far `value` is beyond them. */
void hpm_figure_take_limits(struct hpm_figure *figure,
                            const struct hpm_limits limits[2], double value);

/* The metrics files have, where none was computed. */
void hpm_figures_take_recorded(struct hpm_survey *survey,
                               struct hpm_slice slice,
                               struct hpm_figure *figures);

#endif
