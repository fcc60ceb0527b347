/* SPDX-License-Identifier: BSD-3-Clause
 * What the descriptions of several runs of a task agree on. */
#ifndef HPM_STUDY_COLUMNS_AGREE_H
#define HPM_STUDY_COLUMNS_AGREE_H

#include "study/columns/align.h"

/* Describe each task of the result: run, machine and counters keep what all
 * its runs agree on, the earliest start, the mean of their seconds and
 * resources; problems are added up; calibrations, which belong to one run, are
 * left out.  False when there is no memory. */
bool hpm_agree_describe(struct hpm_align *align);

/* Counters of different processors are never combined: false, and the tasks
 * named, where studies say different PMUs. */
bool hpm_agree_on_pmu(const struct hpm_study *const *studies, size_t n,
                      struct hpm_error *err);

/* The study in messages: the file it was read from, a merged one, too; else the
 * first of its sources, and how many more there are. */
void hpm_agree_add_name(const struct hpm_study *study,
                        struct hpm_string *string);

#endif
