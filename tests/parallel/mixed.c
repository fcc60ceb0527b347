/* SPDX-License-Identifier: BSD-3-Clause
 * A program of MPI and OpenMP, without any call of libhpm, in which calls of MPI are
 * made in parallel regions, and parallel regions are begun in calls of MPI.  Each wait is
 * of a twentieth of a second at least.  It prints lines "TASK THREAD KIND SECONDS" with
 * what its own clock said: of the time in calls of MPI (but MPI_Init, in which measuring
 * begins), of the waiting of OpenMP, and of its work, which is sleep. */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST = 16 };

enum kind { IN_MPI, IN_OPENMP, AT_WORK, N_KINDS };

static const char *const words[] = {"mpi", "openmp", "work"};

static double spent[MOST][N_KINDS];
static int task, n_tasks, n_threads;

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
add(enum kind kind, double since)
{
    spent[omp_get_thread_num()][kind] += seconds() - since;
}

static void
work(void)
{
    const struct timespec twentieth = {0, 50000000};
    double since = seconds();

    nanosleep(&twentieth, NULL);
    add(AT_WORK, since);
}

/* Each thread of task 0 gets a message that the same thread of task 1 sends late. */
static void
receive_by_threads(void)
{
#pragma omp parallel
    {
        int word = 0, me = omp_get_thread_num();

        if (task == 1)
            work();
        if (task < 2) {
            double since = seconds();

            if (task == 1)
                MPI_Send(&word, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
            else
                MPI_Recv(&word, 1, MPI_INT, 1, me, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            add(IN_MPI, since);
        }
    }
}

/* The other threads wait for the one that is in MPI. */
static void
wait_for_caller(void)
{
#pragma omp parallel
    {
        double since = seconds();

#pragma omp barrier
#pragma omp critical
        {
            add(IN_OPENMP, since);
            if (omp_get_thread_num() == 0) {
                if (task == n_tasks - 1)
                    work();
                since = seconds();
                MPI_Barrier(MPI_COMM_WORLD);
                add(IN_MPI, since);
            }
        }
        since = seconds();
#pragma omp barrier
        add(IN_OPENMP, since);
    }
}

/* A call of MPI in a task, which a thread executes while it waits in a barrier. */
static void
call_in_task(void)
{
    static int executor;
    static double taken;

#pragma omp parallel
    {
        double since;

#pragma omp master
        {
#pragma omp task
            {
                double begin = seconds();

                executor = omp_get_thread_num();
                if (task == 0)
                    work();
                since = seconds();
                MPI_Barrier(MPI_COMM_WORLD);
                add(IN_MPI, since);
                taken = seconds() - begin;
            }
        }
        since = seconds();
#pragma omp barrier
        add(IN_OPENMP, since);
    }
    spent[executor][IN_OPENMP] -= taken;
}

/* MPI copies an attribute within a call; to copy it takes a region, in which one thread
 * comes late: the first one waits within MPI, and its work is within MPI, too. */
static int
copy_attribute(MPI_Comm comm, int key, void *state, void *in, void *out,
               int *ret_is_copied)
{
    double work_before = spent[0][AT_WORK];

    (void)comm, (void)key, (void)state, (void)in, (void)out;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0 || omp_get_thread_num() == n_threads - 1)
            work();
        if (omp_get_thread_num() == n_threads - 1)
            work();
#pragma omp barrier
    }
    spent[0][AT_WORK] = work_before;
    *ret_is_copied = 0;
    return MPI_SUCCESS;
}

static void
begin_region_in_call(void)
{
    MPI_Comm copy;
    int key;
    double since;

    MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    since = seconds();
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    add(IN_MPI, since);
    MPI_Comm_free_keyval(&key);
}

int
main(int argc, char **argv)
{
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    MPI_Comm_size(MPI_COMM_WORLD, &n_tasks);
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            n_threads = omp_get_num_threads();
    }
    if (level == MPI_THREAD_MULTIPLE)
        receive_by_threads();
    wait_for_caller();
    call_in_task();
    begin_region_in_call();
    for (int i = 0; i < n_threads; i++) {
        for (int kind = 0; kind < N_KINDS; kind++)
            printf("%d %d %s %.9f\n", task, i, words[kind], spent[i][kind]);
    }
    MPI_Finalize();
    return 0;
}
