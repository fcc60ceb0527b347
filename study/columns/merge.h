/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of one run together. */
#ifndef HPM_STUDY_COLUMNS_MERGE_H
#define HPM_STUDY_COLUMNS_MERGE_H

#include "study/columns/study.h"

/* Add the tasks of another study.  One run is one program and one job, whose
 * tasks have different numbers.  A study that does not belong to the run is
 * refused: the message names its file, and `study` does not change.
 * `is_forced` adds such a study all the same; a task whose number is taken gets
 * the next free one.  When memory ran out (*ret_is_broken) `study` can only be
 * freed. */
bool hpm_merge_add(struct hpm_study *study, const struct hpm_study *other,
                   bool is_forced, bool *ret_is_broken, struct hpm_error *err);

/* End the merge: bring the study into its order, which does not depend on the
 * order of the additions.  False when the tasks did not run at one time (unless
 * `is_forced`) or there is no memory. */
bool hpm_merge_end(struct hpm_study *study, bool is_forced,
                   struct hpm_error *err);

#endif
