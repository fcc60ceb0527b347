/* SPDX-License-Identifier: BSD-3-Clause
 * An MPI job whose tasks end as the argument says:
 *
 *     after    all measure once more after MPI_Finalize
 *     abort    task 0 has written its file when task 1 calls MPI_Abort
 *     early    task 1 calls exit without MPI_Finalize */
#include <libhpm.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void
measure(int id, const char *label)
{
    volatile double sum = 0.0;

    hpmTstart(id, label);
    for (int i = 1; i < 10000; i++)
        sum += 1.0 / i;
    hpmTstop(id);
}

/* The other tasks wait for a message that never comes. */
static void
wait_for_ever(void)
{
    int nothing;

    MPI_Recv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void
abort_job(int task)
{
    int word = 0;

    if (task == 0) {
        hpmTerminate(-1);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (task == 1) {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    wait_for_ever();
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "after";
    int task;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    measure(1, "before");
    if (strcmp(way, "abort") == 0)
        abort_job(task);
    if (strcmp(way, "early") == 0) {
        if (task == 1)
            exit(3);
        wait_for_ever();
    }
    MPI_Finalize();
    measure(2, "after");
    return 0;
}
