/* SPDX-License-Identifier: BSD-3-Clause
 * Some threads of an experiment. */
#ifndef HPM_STUDY_COLUMNS_PLACECUT_H
#define HPM_STUDY_COLUMNS_PLACECUT_H

#include "study/columns/study.h"

/* Keep only the records of some places (threads, whole processes), with their
 * samples and single calls: those with are_kept[place of the study].  A task
 * without any kept place is removed.  Without are_kept all is kept, and tasks
 * without records, too.  Values do not change, but counts of whole processes and
 * nodes that others shared are marked (hpm_study_counts_others).  NULL when there
 * is no memory (the result takes at most `most_bytes`, 0: no bound). */
struct hpm_study *hpm_placecut_new(const struct hpm_study *study,
                                   const bool *are_kept, size_t most_bytes,
                                   struct hpm_error *err);

#endif
