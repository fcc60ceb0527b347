/* SPDX-License-Identifier: BSD-3-Clause
 * Three programs of MPI in small, whose waits can be worked out: of each call that may
 * wait each task prints "WAY TASK STEP BEGIN END", by a clock that all tasks of a
 * machine share.  The work is sleep, so that tasks need no processor of their own.
 *
 *     sweep   a wavefront through a line of tasks, as in Sweep3D: each receives a block
 *             from the task before it, works, and sends it to the next one
 *     solve   work, then a sum over all tasks; the last task works longer
 *     send    a line of tasks that send large blocks to a task that comes later */
#include <libhpm.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 4, WORK_MS = 20, EXTRA_MS = 30, BLOCK = 1 << 18 };

static int task, n_tasks;
static char lines[16384];
static size_t length;
static int block[BLOCK];

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
tell(const char *way, int step, double begin)
{
    length += (size_t)snprintf(lines + length, sizeof lines - length,
                               "%s %d %d %.9f %.9f\n", way, task, step, begin,
                               seconds());
}

static void
work(int ms)
{
    const struct timespec length_of_work = {0, ms * 1000000L};

    nanosleep(&length_of_work, NULL);
}

static void
sweep(void)
{
    int word = 0;
    double begin;

    hpmTstart(1, "sweep");
    for (int step = 0; step < STEPS; step++) {
        begin = seconds();
        if (task > 0)
            MPI_Recv(&word, 1, MPI_INT, task - 1, step, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        tell("sweep-recv", step, begin);
        work(WORK_MS);
        begin = seconds();
        if (task < n_tasks - 1)
            MPI_Send(&word, 1, MPI_INT, task + 1, step, MPI_COMM_WORLD);
        tell("sweep-send", step, begin);
    }
    hpmTstop(1);
}

static void
solve(void)
{
    int word = task, sum = 0;
    double begin;

    hpmTstart(2, "solve");
    for (int step = 0; step < STEPS; step++) {
        work(task == n_tasks - 1 ? WORK_MS + EXTRA_MS : WORK_MS);
        begin = seconds();
        MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        tell("solve", step, begin);
    }
    hpmTstop(2);
}

static void
send_blocks(void)
{
    double begin;

    hpmTstart(3, "send");
    for (int step = 0; step < STEPS; step++) {
        int other = task ^ 1;

        if (other >= n_tasks)
            continue;
        work(task % 2 == 0 ? WORK_MS : WORK_MS + EXTRA_MS);
        begin = seconds();
        if (task % 2 == 0)
            MPI_Send(block, BLOCK, MPI_INT, other, step, MPI_COMM_WORLD);
        else
            MPI_Recv(block, BLOCK, MPI_INT, other, step, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        tell("send", step, begin);
    }
    hpmTstop(3);
}

/* The first message to a task takes as long as making the connection. */
static void
connect_tasks(void)
{
    int word = 0, got = 0;

    for (int distance = 1; distance < n_tasks; distance++) {
        int to = (task + distance) % n_tasks;
        int from = (task + n_tasks - distance) % n_tasks;

        MPI_Sendrecv(&word, 1, MPI_INT, to, 100, &got, 1, MPI_INT, from, 100,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    MPI_Comm_size(MPI_COMM_WORLD, &n_tasks);
    hpmInit(-1, "waves");
    connect_tasks();
    MPI_Barrier(MPI_COMM_WORLD);
    sweep();
    MPI_Barrier(MPI_COMM_WORLD);
    solve();
    MPI_Barrier(MPI_COMM_WORLD);
    send_blocks();
    fputs(lines, stdout);
    fflush(stdout);
    return MPI_Finalize();
}
