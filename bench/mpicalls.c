/* SPDX-License-Identifier: BSD-3-Clause
 * What libhpm_mpi adds to a call of MPI: the same calls by their names (MPI_...) and
 * bare (PMPI_...), in turn, in one run of two tasks.  bench/mpicalls.py runs it. */
#include <libhpm.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_CALLS = 200, N_ROUNDS = 1001 };

static char byte;
static int task;

static double
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* ---- what is called ---------------------------------------------------- */

static void
send_to_nobody(void)
{
    MPI_Send(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void
send_to_nobody_bare(void)
{
    PMPI_Send(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void
look(void)
{
    int is_there;

    MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

static void
look_bare(void)
{
    int is_there;

    PMPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

/* Two calls of each task: its share of a ping-pong of one byte. */
static void
play(void)
{
    int other = 1 - task;

    if (task == 0)
        MPI_Send(&byte, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD);
    MPI_Recv(&byte, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (task == 1)
        MPI_Send(&byte, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD);
}

static void
play_bare(void)
{
    int other = 1 - task;

    if (task == 0)
        PMPI_Send(&byte, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD);
    PMPI_Recv(&byte, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (task == 1)
        PMPI_Send(&byte, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD);
}

/* ---- how long they take ------------------------------------------------- */

static double
per_call(void (*call)(void), int n_calls)
{
    double begin = now_ns();

    for (int i = 0; i < N_CALLS; i++)
        call();
    return (now_ns() - begin) / (N_CALLS * n_calls);
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double
median(double *values)
{
    qsort(values, N_ROUNDS, sizeof *values, compare);
    return values[N_ROUNDS / 2];
}

static void
weigh(const char *what, void (*named)(void), void (*bare)(void), int n_calls)
{
    static double with[N_ROUNDS], without[N_ROUNDS], added[N_ROUNDS];

    for (int i = 0; i < N_ROUNDS; i++) {
        without[i] = per_call(bare, n_calls);
        with[i] = per_call(named, n_calls);
        added[i] = with[i] - without[i];
    }
    if (task == 0)
        printf("%-24s bare %8.1f ns, by libhpm_mpi %8.1f ns, adds %6.1f ns\n",
               what, median(without), median(with), median(added));
}

int
main(int argc, char **argv)
{
    hpmInit(-1, "mpicalls");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &task);
    hpmTstart(1, "calls");
    if (task == 0) {
        weigh("MPI_Send to nobody", send_to_nobody, send_to_nobody_bare, 1);
        weigh("MPI_Iprobe of nobody", look, look_bare, 1);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    weigh("1-byte ping-pong, a call", play, play_bare, 2);
    hpmTstop(1);
    MPI_Finalize();
    return 0;
}
