/* SPDX-License-Identifier: BSD-3-Clause
 * Which of the runs that a study is made of counted a column: by these it is
 * known whether any run counted all that a metric is made of. */
#ifndef HPM_STUDY_METRIC_STUDYRUNS_H
#define HPM_STUDY_METRIC_STUDYRUNS_H

#include "metric/evaluate.h"
#include "study/columns/study.h"

struct hpm_studyruns;

/* The study must outlive it.  NULL when there is no memory. */
struct hpm_studyruns *hpm_studyruns_new(const struct hpm_study *study);
void hpm_studyruns_free(struct hpm_studyruns *studyruns);

/* Those that counted a column in a task; NULL where all runs counted all, or the
 * study is of one run.  They last as long as
 * `studyruns`, and are for one thread at a time. */
const struct hpm_runs *hpm_studyruns_of(const struct hpm_studyruns *studyruns,
                                        uint32_t column, uint32_t task);

#endif
