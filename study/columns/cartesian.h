/* SPDX-License-Identifier: BSD-3-Clause
 * A grid of tasks, as each task says where it stands in one (HPM_PLACE_DIMS
 * ...). */
#ifndef HPM_STUDY_COLUMNS_CARTESIAN_H
#define HPM_STUDY_COLUMNS_CARTESIAN_H

#include "study/columns/study.h"

/* MPI has no such limit; nobody has been seen with more than 6. */
enum { HPM_CARTESIAN_MOST = 16 };

struct hpm_cartesian_place {
    size_t n; /* dimensions */
    int dims[HPM_CARTESIAN_MOST];
    bool are_periodic[HPM_CARTESIAN_MOST];
    int coords[HPM_CARTESIAN_MOST];
};

/* Read a task's; false, and why, where the texts are no such place: there are
 * more dimensions, no tasks in one, or the place is outside. */
bool hpm_cartesian_read(const char *dims, const char *periods,
                        const char *coords, struct hpm_cartesian_place *ret,
                        struct hpm_error *err);

#endif
