/* SPDX-License-Identifier: BSD-3-Clause
 * Another tool, that takes MPI_Send; with -DTAKES_INIT MPI_Init and MPI_Init_thread
 * alone, with -DTAKES_FINALIZE MPI_Finalize alone. */
#include <mpi.h>

#if defined TAKES_INIT

int
MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int
MPI_Init_thread(int *argc, char ***argv, int required, int *ret_provided)
{
    return PMPI_Init_thread(argc, argv, required, ret_provided);
}

#elif defined TAKES_FINALIZE

int
MPI_Finalize(void)
{
    return PMPI_Finalize();
}

#else

int
MPI_Send(const void *from, int count, MPI_Datatype type, int dest, int tag,
         MPI_Comm comm)
{
    return PMPI_Send(from, count, type, dest, tag, comm);
}

#endif
