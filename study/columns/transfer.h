/* SPDX-License-Identifier: BSD-3-Clause
 * Moving what one study holds into another. */
#ifndef HPM_STUDY_COLUMNS_TRANSFER_H
#define HPM_STUDY_COLUMNS_TRANSFER_H

#include "study/columns/study.h"

/* Copy all tasks of `from`, with what describes them and their rows, into
 * `to`.  numbers[i] becomes the number of task i of `from`; `to` must not have
 * it yet.  Sources are not copied.  False when there is no memory: then `to`
 * is of no use any more. */
bool hpm_transfer_tasks(struct hpm_study *to, const struct hpm_study *from,
                        const int *numbers);

/* Copy only the description of a task (run, machine, counters, calibrations,
 * problems) to a task that has none. */
bool hpm_transfer_description(struct hpm_study *to, uint32_t to_task,
                              const struct hpm_task *from);

/* Append the sources, as those of `side`, and what was left out of them. */
bool hpm_transfer_sources(struct hpm_study *to, const struct hpm_study *from,
                          enum hpm_side side);

/* The section of `to` that is the section of `from`, added if need be;
 * map[] keeps what was found and starts as HPM_NO_INDEX. */
uint32_t hpm_transfer_section(struct hpm_study *to,
                              const struct hpm_study *from, uint32_t section,
                              uint32_t *map);

/* Likewise the column. */
uint32_t hpm_transfer_column(struct hpm_study *to, const struct hpm_study *from,
                             uint32_t column);

/* An array of n indices, all HPM_NO_INDEX. */
uint32_t *hpm_transfer_map(struct hpm_arena *arena, size_t n);

/* A copy, the rows of each task together; NULL when there is no memory. */
struct hpm_study *hpm_transfer_copy(const struct hpm_study *study,
                                    size_t most_bytes);

/* A study in which the rows of each task stand together, in place of one in
 * which they may not; NULL, and that freed too, when there is no memory. */
struct hpm_study *hpm_transfer_gather(struct hpm_study *study);

#endif
