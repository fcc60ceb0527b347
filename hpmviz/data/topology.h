/* SPDX-License-Identifier: BSD-3-Clause
 * The grid in which the tasks of a program stand: as the program recorded it (a
 * Cartesian communicator of MPI), or as the user says. */
#ifndef HPMVIZ_DATA_TOPOLOGY_H
#define HPMVIZ_DATA_TOPOLOGY_H

#include <glib.h>

#include "study/columns/cartesian.h"

/* A grid that is drawn has at most so many places, and a plane so many cells.  What
 * a program recorded may be larger. */
enum { HPMVIZ_TOPOLOGY_MOST = 1 << 20 };

struct hpmviz_topology {
    size_t n; /* dimensions */
    int dims[HPM_CARTESIAN_MOST];
    gboolean is_recorded; /* each task says where it stands; else tasks stand by
                           * their numbers, the last dimension counting fastest, as
                           * MPI_Cart_create has them */
};

/* Read "8x8x4".  FALSE, and a sentence for g_free, where the text is none. */
gboolean hpmviz_topology_read(const char *text,
                              struct hpmviz_topology *ret_topology,
                              char **ret_problem);

/* What the tasks of a study recorded; FALSE where none did, or in different
 * grids. */
gboolean hpmviz_topology_find(const struct hpm_study *study,
                              struct hpmviz_topology *ret_topology);

/* Where a task of the study stands; FALSE where it has no place in the grid. */
gboolean hpmviz_topology_place(const struct hpmviz_topology *topology,
                               const struct hpm_study *study, uint32_t task,
                               int ret_coords[HPM_CARTESIAN_MOST]);

/* "8x8x4", for g_free. */
char *hpmviz_topology_name(const struct hpmviz_topology *topology);

#endif
