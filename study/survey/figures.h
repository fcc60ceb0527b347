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

/* What rows are together: one thread or process, whose limits most are, and all
 * of the subject, whose limits those of the run are.  One row may be both. */
struct hpm_extent {
    bool is_row, is_whole;
};

/* Metrics, from the counts summed at machine->sums[level]; what cannot be
 * computed again is what files have of it.  Those whose limits are of something
 * else than these rows get no verdict. */
void hpm_figures_derive(struct hpm_survey *survey,
                        struct hpm_survey_machine *machine, int level,
                        int scope, struct hpm_extent extent,
                        struct hpm_figure *figures);

/* The metrics files have, where none was computed. */
void hpm_figures_take_recorded(struct hpm_survey *survey,
                               struct hpm_slice slice,
                               struct hpm_figure *figures);

#endif
