/* SPDX-License-Identifier: BSD-3-Clause
 * A graph of tasks, as each task says its neighbours in one (HPM_PLACE_DEGREES
 * ...). */
#ifndef HPM_STUDY_COLUMNS_TASKGRAPH_H
#define HPM_STUDY_COLUMNS_TASKGRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct hpm_taskgraph_place {
    size_t n_sources, n_destinations;
    bool are_listed; /* are the neighbours themselves said? */
};

/* Read a task's; false, and why, where the texts are no such place: the lists have not
 * as many tasks as the degrees say.  Lists may both be left out (NULL). */
bool hpm_taskgraph_read(const char *degrees, const char *sources,
                        const char *destinations,
                        struct hpm_taskgraph_place *ret, struct hpm_error *err);

#endif
