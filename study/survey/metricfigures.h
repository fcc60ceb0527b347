/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of metrics, computed from the total counts of some rows. */
#ifndef HPM_STUDY_SURVEY_METRICFIGURES_H
#define HPM_STUDY_SURVEY_METRICFIGURES_H

#include "study/survey/figures.h"

/* What the rows are: a single thread or process, to which most limits apply, or
 * the whole subject, to which limits of metrics of the run apply.  One row may
 * be both. */
struct hpm_extent {
    bool is_row, is_whole;
};

/* Compute metrics from the counts summed in sums[], which is by span, in a
 * difference by side; where that is impossible, take the values recorded in files.  A metric whose limits do not
 * apply to rows of this extent gets no verdict. */
void hpm_metricfigures_derive(struct hpm_survey *survey,
                              struct hpm_survey_machine *machine,
                              const struct hpm_sum sums[2], int scope,
                              struct hpm_extent extent,
                              struct hpm_figure *figures);

#endif
