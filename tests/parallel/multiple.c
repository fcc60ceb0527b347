/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_THREAD_MULTIPLE: eight threads of each task send to their like of the next task,
 * receive from that of the last one, and meet in a barrier of their own. */
#include <libhpm.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_THREADS = 8, STEPS = 20 };

static MPI_Comm comms[N_THREADS];
static int rank, n;

static void *
work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    int value = 0;

    hpmTstart(1, "exchange");
    for (int i = 0; i < STEPS; i++) {
        int from = i % 2 == 0 ? (rank + n - 1) % n : MPI_ANY_SOURCE;

        if (rank % 2 == 0)
            MPI_Send(&i, 1, MPI_INT, (rank + 1) % n, thread, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, from, thread, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (rank % 2 != 0)
            MPI_Ssend(&i, 1, MPI_INT, (rank + 1) % n, thread, MPI_COMM_WORLD);
        if (value != i)
            abort();
        MPI_Barrier(comms[thread]);
        MPI_Allreduce(&i, &value, 1, MPI_INT, MPI_SUM, comms[thread]);
        if (value != n * i)
            abort();
    }
    hpmTstop(1);
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_t threads[N_THREADS];
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    hpmInit(-1, "multiple");
    for (int i = 0; i < N_THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N_THREADS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
