/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows of a subject together: of a task, or of the tasks of a
 * node. */
#ifndef HPM_STUDY_SURVEY_ROWSTOTAL_H
#define HPM_STUDY_SURVEY_ROWSTOTAL_H

#include "study/survey/survey.h"

/* Sum calls, times and counters of the rows, and compute metrics from these sums,
 * as for a whole subject; but times are the sum over threads, not that of the
 * longest thread, and nothing is judged.  The rows are some of the subject's, or
 * of several subjects of its scope: whole threads, by task and thread.  Returns one
 * figure for each quantity, valid until the survey is used again; NULL where
 * processors of several kinds counted, of which no metric has a total, or where
 * there is no memory. */
const struct hpm_figure *hpm_rowstotal_find(struct hpm_survey *survey,
                                            size_t subject,
                                            const uint32_t *rows, size_t n);

#endif
