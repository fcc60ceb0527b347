/* SPDX-License-Identifier: BSD-3-Clause
 * Copying what one study holds into another. */
#ifndef HPM_STUDY_COLUMNS_TRANSFER_H
#define HPM_STUDY_COLUMNS_TRANSFER_H

#include "study/columns/study.h"

/* Copy all tasks of `from`, with their descriptions and rows, into `to`.
 * numbers[i] becomes the number of task i of `from`; `to` must not have this
 * number yet.  Sources are not copied.  False when there is no memory: then
 * `to` can only be freed. */
bool hpm_transfer_tasks(struct hpm_study *to, const struct hpm_study *from,
                        const int *numbers);

/* Copy only the description of a task (run, machine, counters, calibrations,
 * problems) to a task that has none. */
bool hpm_transfer_description(struct hpm_study *to, uint32_t to_task,
                              const struct hpm_task *from);

/* Append the sources, as sources of `side`, and the files left out. */
bool hpm_transfer_sources(struct hpm_study *to, const struct hpm_study *from,
                          enum hpm_side side);

/* The index in `to` of a section of `from`, added if need be; map[] keeps what
 * was found and starts as HPM_NO_INDEX. */
uint32_t hpm_transfer_section(struct hpm_study *to,
                              const struct hpm_study *from, uint32_t section,
                              uint32_t *map);

/* The same for a column. */
uint32_t hpm_transfer_column(struct hpm_study *to, const struct hpm_study *from,
                             uint32_t column);

/* An array of n indices, all HPM_NO_INDEX. */
uint32_t *hpm_transfer_map(struct hpm_arena *arena, size_t n);

/* A copy in which the rows of each task stand together; NULL when there is no
 * memory. */
struct hpm_study *hpm_transfer_copy(const struct hpm_study *study,
                                    size_t most_bytes);

/* Replace a study by one in which the rows of each task stand together; frees
 * the given one in any case.  NULL when there is no memory. */
struct hpm_study *hpm_transfer_gather(struct hpm_study *study);

#endif
