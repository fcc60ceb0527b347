/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of MPI in one task; prints how often, as "LABEL NUMBER". */
#include <mpi.h>
#include <stdio.h>

int
main(int n, char **words)
{
    int sum = 0, in = 0, rank;
    double average = 0, part = 2.5;

    MPI_Init(&n, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++)
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        MPI_Sendrecv(&i, 1, MPI_INT, rank, 7, &in, 1, MPI_INT, rank, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&part, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce(&part, &average, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (sum != 4 || in != 2 || average != 2.5)
        return 1;
    printf("MPI_Init 1\nMPI_Allreduce 5\nMPI_Sendrecv 3\nMPI_Bcast 1\n"
           "MPI_Reduce 1\nMPI_Finalize 1\n");
    return 3;
}
