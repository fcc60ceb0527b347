/* SPDX-License-Identifier: BSD-3-Clause
 * One name for a counter that several runs call by different names. */
#ifndef HPM_STUDY_METRIC_UNIFY_H
#define HPM_STUDY_METRIC_UNIFY_H

#include "study/columns/study.h"

/* Studies may spell the name of one event in different ways (task-clock,
 * perf::TASK-CLOCK; see metric/alias.h).  Where they count it in the same
 * domain and unit, give its columns and descriptions the alphabetically first
 * spelling.  A study that has two of the spellings keeps both.  False when
 * there is no memory. */
bool hpm_unify(struct hpm_study *const *studies, size_t n,
               struct hpm_error *err);

#endif
