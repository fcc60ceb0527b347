/* SPDX-License-Identifier: BSD-3-Clause
 * Which of the runs of a study counted a column: this tells whether any run
 * counted all inputs of a metric. */
#ifndef HPM_STUDY_METRIC_STUDYRUNS_H
#define HPM_STUDY_METRIC_STUDYRUNS_H

#include "metric/evaluate.h"
#include "study/columns/study.h"

struct hpm_studyruns;

/* The study must live longer than the result.  NULL when there is no memory. */
struct hpm_studyruns *hpm_studyruns_new(const struct hpm_study *study);
void hpm_studyruns_free(struct hpm_studyruns *studyruns);

/* The runs that counted a column in a task; NULL where all runs counted
 * everything, or the study is of one run.  The result lives as long as
 * `studyruns`, and is for one thread at a time. */
const struct hpm_runs *hpm_studyruns_of(const struct hpm_studyruns *studyruns,
                                        uint32_t column, uint32_t task);

#endif
