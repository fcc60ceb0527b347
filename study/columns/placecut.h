/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as some of its threads saw it. */
#ifndef HPM_STUDY_COLUMNS_PLACECUT_H
#define HPM_STUDY_COLUMNS_PLACECUT_H

#include "study/columns/study.h"

/* Only the records of places (threads, whole processes) that are kept, by place
 * of the study, with their samples and single calls; tasks of which none is kept
 * are gone.  Values are as they were.  NULL when there is no memory (the result
 * takes at most `most_bytes`, 0: no bound). */
struct hpm_study *hpm_placecut_new(const struct hpm_study *study,
                                   const bool *are_kept, size_t most_bytes,
                                   struct hpm_error *err);

#endif
