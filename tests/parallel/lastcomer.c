/* SPDX-License-Identifier: BSD-3-Clause
 * Parallel regions to whose end one thread comes last, by a sleep: the highest number,
 * but to each fourth region the first thread.  Prints of each thread, by a clock of
 * its own, to how many it came last, and how many seconds the others waited for it. */
#define _POSIX_C_SOURCE 200809L
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { MOST = 16, REGIONS = 12, NS = 1000000000 };

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double come[MOST], waited[MOST];
static int last[MOST];

static void
work(int i)
{
    int number = omp_get_thread_num(), n = omp_get_num_threads();
    int late = i % 4 == 3 ? 0 : n - 1;
    struct timespec time = {0, NS / 100};

    if (number == late)
        nanosleep(&time, NULL);
    come[number] = now();
}

static void
sum_up(int n)
{
    int who = 0;

    for (int i = 1; i < n; i++)
        who = come[i] > come[who] ? i : who;
    for (int i = 0; i < n; i++)
        waited[who] += come[who] - come[i];
    last[who]++;
}

int
main(void)
{
    int n = omp_get_max_threads();

    for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel
        work(i);
        sum_up(n);
    }
    for (int i = 0; i < n; i++)
        printf("%d %d %.6f\n", i, last[i], waited[i]);
    return 0;
}
