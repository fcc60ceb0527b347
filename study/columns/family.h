/* SPDX-License-Identifier: BSD-3-Clause
 * Processes of one run that were forked by others of it.
 *
 * A forked child is a task of its own, with the number of its parent in its own
 * file.  Where tasks are merged, those that a launcher has made keep their
 * numbers; children get the numbers behind the largest of these, in the order
 * in which they began.  So a number that is missing is still seen, and a merge
 * of merges gives the numbers anew, with the same result.
 */
#ifndef HPM_STUDY_COLUMNS_FAMILY_H
#define HPM_STUDY_COLUMNS_FAMILY_H

#include "base/string.h"
#include "study/columns/study.h"

/* Was the task forked by another one? */
bool hpm_family_is_child(const struct hpm_task *task);

/* Has the study a task that was? */
bool hpm_family_has_child(const struct hpm_study *study);

/* Is every child of `other` a parent, child, brother or sister of a task of the
 * study, or of `other` itself?  Always so where the study has no task. */
bool hpm_family_is_kin(const struct hpm_study *study,
                       const struct hpm_study *other);

/* The task of the study that is this very process; NULL for none. */
const struct hpm_task *hpm_family_find(const struct hpm_study *study,
                                       const struct hpm_task *task);

/* A number for a child that no task of either has, until all are there. */
int hpm_family_number_for_now(const struct hpm_study *study,
                              const struct hpm_study *other, int last);

/* Give children their numbers; the study has to be arranged afterwards.  False
 * when there is no memory. */
bool hpm_family_number(struct hpm_study *study);

/* The process that forked each task, by index; HPM_NO_INDEX where it was not
 * forked, or that process is not in the study. */
void hpm_family_find_parents(const struct hpm_study *study,
                             uint32_t *ret_parents);

/* Has a forked process process sections beside those of the process that forked
 * it?  These count what children do, too: a sum over both may have it twice. */
bool hpm_family_counts_twice(const struct hpm_study *study);

/* Append sentences for people, a line each: "tasks 4-9 are processes that task
 * 0 forked (process 4711)". */
void hpm_family_add_lines(const struct hpm_study *study,
                          struct hpm_string *string);

#endif
