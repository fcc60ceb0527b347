/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a summary that ran on processors of one kind, whose counts may be
 * added: who they are, and what is true of all of them. */
#ifndef HPM_STUDY_COLUMNS_SUMMARYGROUP_H
#define HPM_STUDY_COLUMNS_SUMMARYGROUP_H

#include "study/columns/taskranges.h"
#include "study/columns/study.h"

struct hpm_summarygroup {
    struct hpm_task task; /* its texts are those of the summary's own study; its
                           * number is the smallest of its tasks' numbers */
    struct hpm_taskranges members;
    uint64_t n_members;
    int broken; /* the smallest number of a task that is not complete, whose reason
                 * the task has */
};

/* The group of a task of a study; NULL when there is no memory.  Texts are kept
 * in `own`. */
struct hpm_summarygroup *hpm_summarygroup_find(struct hpm_summarygroup **groups,
                                               size_t *n_groups,
                                               size_t *capacity,
                                               struct hpm_study *own,
                                               const struct hpm_task *task);

/* Add a task.  False when its number is there already, unless `is_forced`, or
 * there is no memory. */
bool hpm_summarygroup_add(struct hpm_summarygroup *group, struct hpm_study *own,
                          const struct hpm_study *study,
                          const struct hpm_task *task, bool is_forced,
                          struct hpm_error *err);

/* Add a problem of a task; `text` stays.  False when there is no memory. */
bool hpm_summarygroup_tell(struct hpm_summarygroup *group,
                           struct hpm_study *own, const char *text);

/* Describe the group as the task of a study, which has its number.  False when
 * there is no memory. */
bool hpm_summarygroup_describe(const struct hpm_summarygroup *group,
                               struct hpm_study *study, uint32_t task);

#endif
