/* SPDX-License-Identifier: BSD-3-Clause
 * An MPI job linked with libhpm_mpi that makes grids of its tasks: a ring, then a
 * plane of all of them, whose tasks say where they stand in it, and smaller ones.
 * With an argument it makes no plane; with "killed" each task is ended by a signal after
 * a checkpoint. */
#include <libhpm.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static MPI_Comm
make_plane(int n_tasks)
{
    int dims[2] = {0, 0}, periods[2] = {0, 7}, coords[2], task, rank;
    MPI_Comm plane;

    MPI_Dims_create(n_tasks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &plane);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    MPI_Comm_rank(plane, &rank);
    MPI_Cart_coords(plane, rank, 2, coords);
    printf("%d: %d %d, 0 1, %d %d\n", task, dims[0], dims[1], coords[0],
           coords[1]);
    fflush(stdout);
    return plane;
}

static void
make_others(MPI_Comm plane)
{
    static const int is_left[2] = {1, 0}, dims[3] = {1, 1, 1},
                     periods[3] = {0, 0, 0};
    MPI_Comm line, one;

    MPI_Cart_sub(plane, is_left, &line);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &one);
    MPI_Comm_free(&line);
    if (one != MPI_COMM_NULL)
        MPI_Comm_free(&one);
}

/* With HPM_CHECKPOINT=0 there is one at each stop. */
static void
end_by_signal(void)
{
    for (int i = 0; i < 10; i++) {
        hpmTstart(2, "last");
        hpmTstop(2);
    }
    raise(SIGKILL);
}

int
main(int argc, char **argv)
{
    int n_tasks, is_ring = 1;
    MPI_Comm ring, plane;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n_tasks);
    hpmTstart(1, "work");
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n_tasks, &is_ring, 0, &ring);
    if (argc < 2 || strcmp(argv[1], "killed") == 0) {
        plane = make_plane(n_tasks);
        make_others(plane);
    }
    hpmTstop(1);
    if (argc > 1 && strcmp(argv[1], "killed") == 0)
        end_by_signal();
    MPI_Finalize();
    return 0;
}
