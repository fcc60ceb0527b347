/* SPDX-License-Identifier: BSD-3-Clause
 * A job of two tasks that starts two more, which take part in collectives of the
 * communicator between both, and of one of all. */
#include <libhpm.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    MPI_Comm parent, between, all;
    int rank, n, value = 1, sum = 0;

    MPI_Init(&argc, &argv);
    hpmInit(-1, "spawn");
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0,
                       MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    else
        between = parent;
    hpmTstart(1, "between");
    MPI_Barrier(between);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, between);
    hpmTstop(1);
    MPI_Intercomm_merge(between, parent != MPI_COMM_NULL, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &n);
    hpmTstart(2, "merged");
    if (rank == n - 1)
        usleep(20000);
    MPI_Barrier(all);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, all);
    if (rank == 0)
        MPI_Ssend(&value, 1, MPI_INT, n - 1, 7, all);
    if (rank == n - 1) {
        usleep(10000);
        MPI_Recv(&value, 1, MPI_INT, 0, 7, all, MPI_STATUS_IGNORE);
    }
    hpmTstop(2);
    printf("%d of %d: %d\n", rank, n, sum);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&between);
    MPI_Finalize();
    return 0;
}
