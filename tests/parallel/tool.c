/* SPDX-License-Identifier: BSD-3-Clause
 * Another tool that takes MPI_Send. */
#include <mpi.h>

int
MPI_Send(const void *from, int count, MPI_Datatype type, int dest, int tag,
         MPI_Comm comm)
{
    return PMPI_Send(from, count, type, dest, tag, comm);
}
