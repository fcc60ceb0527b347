/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of metrics: what some rows make of the counts they have together.
 */
#ifndef HPM_STUDY_SURVEY_METRICFIGURES_H
#define HPM_STUDY_SURVEY_METRICFIGURES_H

#include "study/survey/figures.h"

/* What rows are together: one thread or process, whose limits most are, and all
 * of the subject, whose limits those of the run are.  One row may be both. */
struct hpm_extent {
    bool is_row, is_whole;
};

/* Metrics, from the counts summed at machine->sums[level]; what cannot be
 * computed again is what files have of it.  Those whose limits are of something
 * else than these rows get no verdict. */
void hpm_metricfigures_derive(struct hpm_survey *survey,
                              struct hpm_survey_machine *machine, int level,
                              int scope, struct hpm_extent extent,
                              struct hpm_figure *figures);

#endif
