/* SPDX-License-Identifier: BSD-3-Clause
 * Where this task stands in a grid and in a graph of tasks, as libhpm looks for
 * it. */
#ifndef HPM_MPI_TASKPLACE_H
#define HPM_MPI_TASKPLACE_H

#include <stddef.h>

#include "session/handover.h"

/* In those of the largest communicators there have been. */
extern hpm_known_place hpm_taskplace;

/* What makes one communicator larger than another: the tasks, of as many the
 * details (dimensions). */
struct hpm_taskplace_size {
    int n_tasks, n_details;
};

/* The numbers with blanks between them; NULL without memory. */
char *hpm_taskplace_text(const int *numbers, int n);

/* Hand texts over as those from `first` (HPM_PLACE_DIMS ...) on, if there has been no
 * communicator as large in *largest.  Takes the texts over.  If one of the first
 * `n_vital` is NULL, memory was lacking, which is said: then there is none of them,
 * rather than those of a smaller communicator. */
void hpm_taskplace_offer(struct hpm_taskplace_size *largest, int n_tasks,
                         int n_details, size_t first, char *const texts[3],
                         size_t n_vital);

#endif
