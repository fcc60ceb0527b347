/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of one run together. */
#ifndef HPM_STUDY_COLUMNS_MERGE_H
#define HPM_STUDY_COLUMNS_MERGE_H

#include "study/columns/study.h"

/* Add the tasks of a study.  One run is one program and one job, whose tasks
 * have different numbers; a study that is not of the run is refused, with its
 * file named, and the study is as it was.  `is_forced` takes it all the same;
 * a task whose number is taken gets the next one free.  When memory ran out
 * (*ret_is_broken) the study is of no use any more. */
bool hpm_merge_add(struct hpm_study *study, const struct hpm_study *other,
                   bool is_forced, bool *ret_is_broken, struct hpm_error *err);

/* End it: bring the study into its order, which does not depend on that of
 * the additions.  False when the tasks did not run at one time (unless
 * `is_forced`) or there is no memory. */
bool hpm_merge_end(struct hpm_study *study, bool is_forced,
                   struct hpm_error *err);

#endif
