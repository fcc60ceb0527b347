/* SPDX-License-Identifier: BSD-3-Clause
 * The summary of a job: for each section and column the total over all threads
 * and how their values lie, with whose the smallest and the largest are, and
 * nothing of a single task.  Its size depends on the sections and columns, not on
 * the number of tasks, and its numbers neither on the order in which tasks were
 * added nor on the summaries they came in.
 *
 *     study of kind HPM_STUDY_SUMMARY
 *       tasks[]      one for each kind of processor: stands for its tasks
 *         rows         a section: of all threads (tid -2), or processes (tid -1)
 *           spreads      of a column
 */
#ifndef HPM_STUDY_COLUMNS_JOBSUMMARY_H
#define HPM_STUDY_COLUMNS_JOBSUMMARY_H

#include "study/columns/study.h"

struct hpm_jobsummary;

/* Begin; NULL when there is no memory. */
struct hpm_jobsummary *hpm_jobsummary_new(void);

void hpm_jobsummary_free(struct hpm_jobsummary *summary);

/* Add the tasks of a run, of a merged run, or of another summary.  False when the
 * study is something else, has a task that is there already (unless `is_forced`),
 * is damaged, or there is no memory: then the summary can only be freed. */
bool hpm_jobsummary_add(struct hpm_jobsummary *summary,
                        const struct hpm_study *study, bool is_forced,
                        struct hpm_error *err);

/* How many tasks there are, and the first and the last number of one. */
uint64_t hpm_jobsummary_n_tasks(const struct hpm_jobsummary *summary);
int hpm_jobsummary_first_task(const struct hpm_jobsummary *summary);
int hpm_jobsummary_last_task(const struct hpm_jobsummary *summary);

/* The memory that it takes, about, in bytes. */
size_t hpm_jobsummary_memory(const struct hpm_jobsummary *summary);

/* The summary as a study, which the caller frees; NULL when there is no
 * memory. */
struct hpm_study *hpm_jobsummary_study(const struct hpm_jobsummary *summary,
                                       struct hpm_error *err);

#endif
