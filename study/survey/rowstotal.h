/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows of a subject together: of a task, or of the tasks of a
 * node.  They are summed in pieces, so that a window can do something else
 * meanwhile.
 *
 *     begin(rows) -> work -> work -> ... -> figures
 */
#ifndef HPM_STUDY_SURVEY_ROWSTOTAL_H
#define HPM_STUDY_SURVEY_ROWSTOTAL_H

#include "study/survey/survey.h"

struct hpm_rowstotal;

/* For totals of these quantities of the survey; NULL without memory.  The survey
 * outlives it. */
struct hpm_rowstotal *hpm_rowstotal_new(struct hpm_survey *survey,
                                        const size_t *wanted, size_t n_wanted);
void hpm_rowstotal_free(struct hpm_rowstotal *total);

/* Begin to sum calls, times and counters of the rows, from which metrics are
 * computed as for a whole subject; but times are the sum over threads, not that of
 * the longest thread, and nothing is judged.  The rows are some of the subject's,
 * or of several subjects of its scope: whole threads, by task and thread.  They
 * stay while they are summed.  What was begun before is given up. */
void hpm_rowstotal_begin(struct hpm_rowstotal *total, size_t subject,
                         const uint32_t *rows, size_t n);

/* Sum the next `most` rows; false when all are summed.  The survey is used by no
 * other thread meanwhile; between two calls it may be used for anything. */
bool hpm_rowstotal_work(struct hpm_rowstotal *total, size_t most);

/* When all rows are summed: one figure for each quantity, of which only those that
 * are wanted are set; valid until the total begins again.  NULL where there are no
 * rows, where processors of several kinds counted, of which no metric has a total,
 * or where there was no memory. */
const struct hpm_figure *hpm_rowstotal_figures(struct hpm_rowstotal *total);

#endif
