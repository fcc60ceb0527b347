/* SPDX-License-Identifier: BSD-3-Clause
 * What the descriptions of several runs of a task agree on. */
#ifndef HPM_STUDY_COLUMNS_AGREE_H
#define HPM_STUDY_COLUMNS_AGREE_H

#include "study/columns/align.h"

/* Describe each task of the result.  Run, machine and counters keep what all
 * runs of the task agree on.  The start is the earliest one; seconds and
 * resources are means; problems are added up; calibrations belong to one run
 * and are left out.  False when there is no memory. */
bool hpm_agree_describe(struct hpm_align *align);

/* Counters of different processors are never combined.  False where the studies
 * have different PMUs; the message names the tasks. */
bool hpm_agree_on_pmu(const struct hpm_study *const *studies, size_t n,
                      struct hpm_error *err);

/* Append the name of a study for messages: the file it was read from (also of a
 * merged study), else its first source and how many more there are. */
void hpm_agree_add_name(const struct hpm_study *study,
                        struct hpm_string *string);

#endif
