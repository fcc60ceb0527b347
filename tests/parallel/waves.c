/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of MPI and OpenMP in small, whose waits can be worked out.  The work is
 * sleep, so that neither tasks nor threads need processors of their own; each step is a
 * section.
 *
 *     stencil  as sPPM: halos of a line of tasks are exchanged by MPI_Isend and
 *              MPI_Irecv, then a sum over all tasks; the middle task sends late
 *     sweep    a wavefront through a line of tasks, as Sweep3D: each receives a block
 *              from the task before it, works, and sends it to the next one
 *     solve    work, then a sum over all tasks: the last task works longer; then a
 *              barrier, to which the first task comes late
 *     send     a line of tasks that send large blocks to a task that comes later
 *
 * Work is a region of OpenMP, whose last thread has more of it.  Of each piece of work
 * and each call that may wait the task writes a line to the file said.TASK, "SECTION KIND
 * TASK THREAD BEGIN END", by a clock that all tasks of a machine share.  waves.F90 is the
 * same in Fortran. */
#include <libhpm.h>
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum {
    STEPS = 4,
    WORK_MS = 20,
    EXTRA_MS = 30,
    THREAD_MS = 10,
    BLOCK = 1 << 18,
    MOST = 4096
};

/* What a task remembers until its end. */
struct span {
    const char *section, *kind;
    int thread;
    double begin, end;
};

static struct span spans[MOST];
static int n_spans, task, n_tasks;
static int block[BLOCK];

#define OF_STEPS(name)                                                         \
    static const char *const name[STEPS] = {#name "0", #name "1", #name "2",   \
                                            #name "3"}

OF_STEPS(halo);
OF_STEPS(haloloop);
OF_STEPS(norm);
OF_STEPS(sweep);
OF_STEPS(sweeploop);
OF_STEPS(solve);
OF_STEPS(solveloop);
OF_STEPS(check);
OF_STEPS(send);

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
remember(const char *section, const char *kind, double begin, double end)
{
    int i;

#pragma omp atomic capture
    i = n_spans++;
    if (i < MOST)
        spans[i] =
            (struct span){section, kind, omp_get_thread_num(), begin, end};
}

static void
tell(const char *section, const char *kind, double begin)
{
    remember(section, kind, begin, seconds());
}

static void
work(const char *section, int ms)
{
    const struct timespec length = {0, ms * 1000000L};
    double begin = seconds();

    nanosleep(&length, NULL);
    tell(section, "work", begin);
}

/* All threads have as much to do, but the last one. */
static void
work_together(int id, const char *section)
{
#pragma omp parallel
    {
        double begin;

        hpmTstart(id, section);
        work(section, omp_get_thread_num() == omp_get_num_threads() - 1
                          ? WORK_MS
                          : WORK_MS - THREAD_MS);
        begin = seconds();
#pragma omp barrier
        tell(section, "threads", begin);
        hpmTstop(id);
    }
}

static void
sum_up(const char *section)
{
    int word = task, sum = 0;
    double begin = seconds();

    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    tell(section, "all_to_all", begin);
}

static void
meet(const char *section)
{
    double begin = seconds();

    MPI_Barrier(MPI_COMM_WORLD);
    tell(section, "barrier", begin);
}

/* The halos of all tasks are under way while they work. */
static void
exchange(int step)
{
    int before = task > 0 ? task - 1 : MPI_PROC_NULL;
    int after = task < n_tasks - 1 ? task + 1 : MPI_PROC_NULL;
    int halos[4] = {0};
    MPI_Request requests[4];
    MPI_Status statuses[4];
    double begin = seconds();

    MPI_Irecv(&halos[0], 1, MPI_INT, before, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&halos[1], 1, MPI_INT, after, 2, MPI_COMM_WORLD, &requests[1]);
    tell(halo[step], "irecv", begin);
    if (task == n_tasks / 2)
        work(halo[step], WORK_MS + EXTRA_MS);
    begin = seconds();
    MPI_Isend(&halos[2], 1, MPI_INT, before, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&halos[3], 1, MPI_INT, after, 1, MPI_COMM_WORLD, &requests[3]);
    tell(halo[step], "isend", begin);
    work_together(40 + step, haloloop[step]);
    begin = seconds();
    MPI_Waitall(4, requests, statuses);
    tell(halo[step], "wait", begin);
}

static void
stencil(void)
{
    for (int step = 0; step < STEPS; step++) {
        hpmTstart(10 + step, halo[step]);
        exchange(step);
        hpmTstop(10 + step);
        hpmTstart(20 + step, norm[step]);
        sum_up(norm[step]);
        hpmTstop(20 + step);
    }
}

static void
sweep_through(void)
{
    int word = 0;
    double begin;

    for (int step = 0; step < STEPS; step++) {
        hpmTstart(50 + step, sweep[step]);
        begin = seconds();
        if (task > 0)
            MPI_Recv(&word, 1, MPI_INT, task - 1, step, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        tell(sweep[step], "recv", begin);
        work_together(60 + step, sweeploop[step]);
        begin = seconds();
        if (task < n_tasks - 1)
            MPI_Send(&word, 1, MPI_INT, task + 1, step, MPI_COMM_WORLD);
        tell(sweep[step], "send", begin);
        hpmTstop(50 + step);
    }
}

static void
solve_all(void)
{
    hpmTstart(1, "solver");
    for (int step = 0; step < STEPS; step++) {
        hpmTstart(70 + step, solve[step]);
        work_together(80 + step, solveloop[step]);
        if (task == n_tasks - 1)
            work(solve[step], EXTRA_MS);
        sum_up(solve[step]);
        hpmTstop(70 + step);
    }
    hpmTstop(1);
    for (int step = 0; step < STEPS; step++) {
        hpmTstart(90 + step, check[step]);
        work(check[step], task == 0 ? EXTRA_MS : THREAD_MS);
        meet(check[step]);
        hpmTstop(90 + step);
    }
}

static void
send_blocks(void)
{
    bool is_sender = task % 2 == 0;
    int other = task ^ 1;
    double begin;

    for (int step = 0; step < STEPS && other < n_tasks; step++) {
        hpmTstart(100 + step, send[step]);
        work(send[step], is_sender ? WORK_MS : WORK_MS + EXTRA_MS);
        begin = seconds();
        if (is_sender)
            MPI_Send(block, BLOCK, MPI_INT, other, step, MPI_COMM_WORLD);
        else
            MPI_Recv(block, BLOCK, MPI_INT, other, step, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        tell(send[step], is_sender ? "send" : "recv", begin);
        hpmTstop(100 + step);
    }
}

/* The first message to a task takes as long as making the connection, and the first
 * region as making the threads. */
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
    work_together(3, "first loop");
    n_spans = 0;
}

/* To a file of its own: a launcher mixes what tasks print. */
static void
write_spans(void)
{
    char name[32];
    FILE *file;

    snprintf(name, sizeof name, "said.%d", task);
    file = fopen(name, "w");
    for (int i = 0; file != NULL && i < n_spans && i < MOST; i++)
        fprintf(file, "%s %s %d %d %.9f %.9f\n", spans[i].section,
                spans[i].kind, task, spans[i].thread, spans[i].begin,
                spans[i].end);
    if (file != NULL)
        fclose(file);
}

int
main(int argc, char **argv)
{
    int level;
    double begin;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    MPI_Comm_size(MPI_COMM_WORLD, &n_tasks);
    hpmInit(-1, "waves");
    connect_tasks();
    MPI_Barrier(MPI_COMM_WORLD);
    hpmTstart(2, "whole");
    begin = seconds();
    stencil();
    meet("between");
    sweep_through();
    meet("between");
    solve_all();
    meet("between");
    send_blocks();
    tell("whole", "wall", begin);
    hpmTstop(2);
    write_spans();
    return MPI_Finalize();
}
