/* SPDX-License-Identifier: BSD-3-Clause
 * The description of a task (struct hpm_task) as a row of bytes. */
#ifndef HPM_STUDY_COLUMNS_TASKSTREAM_H
#define HPM_STUDY_COLUMNS_TASKSTREAM_H

#include "study/columns/study.h"
#include "study/store/stream.h"

/* Write the task, or read it with memory of the study's arena.  Its rows are
 * not part of it.  Columns and modules must be those of the study. */
void hpm_taskstream(struct hpm_stream *stream, struct hpm_study *study,
                    struct hpm_task *task);

/* Where reading, replace *array by a zeroed one of `n` elements in the study's
 * arena. */
void hpm_taskstream_take_array(struct hpm_stream *stream,
                               struct hpm_study *study, void *array, size_t n,
                               size_t size);

#endif
