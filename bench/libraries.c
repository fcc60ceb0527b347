/* SPDX-License-Identifier: BSD-3-Clause
 * What a call of a library costs more that is measured by libhpm_libraries, beside a
 * pair of section calls: a function that is chosen, one of its list that is not, and a
 * pair of calls, in turn, in one run.  bench/libraries.py makes the list and runs it. */
#include <libhpm.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_CALLS = 2000, N_ROUNDS = 501 };

#ifdef LIBRARY
void bench_chosen(void);
void bench_passed(void);
void bench_bare(void);
void bench_work(void);

static volatile int sink;

void
bench_chosen(void)
{
    sink++;
}

void
bench_passed(void)
{
    sink++;
}

void
bench_bare(void)
{
    sink++;
}

void
bench_work(void)
{
    sink++;
}
#else
void bench_chosen(void);
void bench_passed(void);
void bench_bare(void);
void bench_work(void);

static void
pair(void)
{
    hpmTstart(1, "pair");
    bench_bare();
    hpmTstop(1);
}

static double
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double
per_call(void (*call)(void))
{
    double begin = now_ns();

    for (int i = 0; i < N_CALLS; i++)
        call();
    return (now_ns() - begin) / N_CALLS;
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

/* Per call, without the call itself, in nanoseconds: a pair; and in pairs: a function
 * that is chosen, one with work, one that is not chosen. */
int
main(void)
{
    static double pairs[N_ROUNDS], on[N_ROUNDS], work[N_ROUNDS], off[N_ROUNDS];

    for (int i = 0; i < N_ROUNDS; i++) {
        double call = per_call(bench_bare);

        pairs[i] = per_call(pair) - call;
        on[i] = (per_call(bench_chosen) - call) / pairs[i];
        work[i] = (per_call(bench_work) - call) / pairs[i];
        off[i] = (per_call(bench_passed) - call) / pairs[i];
    }
    printf("%.1f %.3f %.3f %.3f\n", median(pairs), median(on), median(work),
           median(off));
    return 0;
}
#endif
