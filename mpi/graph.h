/* SPDX-License-Identifier: BSD-3-Clause
 * The neighbours of this task in a graph of tasks. */
#ifndef HPM_MPI_GRAPH_H
#define HPM_MPI_GRAPH_H

#include <mpi.h>

/* Put them, of the largest communicator with a graph that this task has been in, where
 * libhpm looks for them (mpi/taskplace.h).  MPI_COMM_NULL is none. */
void hpm_graph_look_at(MPI_Comm graph);

#endif
