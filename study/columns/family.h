/* SPDX-License-Identifier: BSD-3-Clause
 * Processes of one run that other processes of the run forked.
 *
 * A forked child is a task of its own; its file has the number of its parent.
 * Where tasks are merged, the tasks that a launcher started keep their numbers;
 * children get the numbers behind the largest of these, in the order of their
 * start.  So a missing number is still seen, and a merge of merges gives the
 * numbers again with the same result.
 */
#ifndef HPM_STUDY_COLUMNS_FAMILY_H
#define HPM_STUDY_COLUMNS_FAMILY_H

#include "base/string.h"
#include "study/columns/study.h"

/* Was the task forked by another one? */
bool hpm_family_is_child(const struct hpm_task *task);

/* Has the study a forked task? */
bool hpm_family_has_child(const struct hpm_study *study);

/* Is every child of `other` a parent, child, brother or sister of a task of the
 * study, or of `other` itself?  Always so where the study has no task. */
bool hpm_family_is_kin(const struct hpm_study *study,
                       const struct hpm_study *other);

/* The task of the study that is the same process; NULL where there is none. */
const struct hpm_task *hpm_family_find(const struct hpm_study *study,
                                       const struct hpm_task *task);

/* A temporary number for a child, smaller than `last`, that no task of either
 * study has. hpm_family_number gives the final numbers. */
int hpm_family_number_for_now(const struct hpm_study *study,
                              const struct hpm_study *other, int last);

/* Give children their final numbers; arrange the study afterwards.  False when
 * there is no memory. */
bool hpm_family_number(struct hpm_study *study);

/* The parent process of each task, by index; HPM_NO_INDEX where the task was
 * not forked, or its parent is not in the study. */
void hpm_family_find_parents(const struct hpm_study *study,
                             uint32_t *ret_parents);

/* Have a forked process and its parent both process sections?  The parent's
 * count its children, too: a sum over both may have some counts twice. */
bool hpm_family_counts_twice(const struct hpm_study *study);

/* Append a line for each group of children, for people: "tasks 4-9 are
 * processes that task 0 forked (process 4711)". */
void hpm_family_add_lines(const struct hpm_study *study,
                          struct hpm_string *string);

#endif
