/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows: the total of each quantity. */
#ifndef HPM_STUDY_SURVEY_FIGURES_H
#define HPM_STUDY_SURVEY_FIGURES_H

#include "study/survey/survey.h"

/* Rows of one subject: of a thread, of a task, or all rows. */
struct hpm_slice {
    const uint32_t *rows;
    size_t n;
};

/* Sum calls, times and counters. figures[] has one element for each quantity;
 * metrics' figures do not change. */
void hpm_figures_count(struct hpm_survey *survey, struct hpm_slice slice,
                       struct hpm_figure *figures);

/* Do the rows include process sections of a process and of its child
 * process? */
bool hpm_figures_are_twice(struct hpm_survey *survey, struct hpm_slice slice);

/* Set which limits a figure has, and how far `value` is beyond them. */
void hpm_figure_take_limits(struct hpm_figure *figure,
                            const struct hpm_limits limits[2], double value);

/* Take the metrics recorded in files, where none was computed. */
void hpm_figures_take_recorded(struct hpm_survey *survey,
                               struct hpm_slice slice,
                               struct hpm_figure *figures);

#endif
