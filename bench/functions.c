/* SPDX-License-Identifier: BSD-3-Clause
 * What a hook of libhpm_functions costs beside a pair of section calls: the same
 * function with hooks, chosen and not chosen, and a pair of calls, in turn, in one
 * run.  The library comes by LD_PRELOAD; bench/functions.py runs it. */
#include <libhpm.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BARE __attribute__((no_instrument_function))

enum { N_CALLS = 2000, N_ROUNDS = 501 };

static volatile int sink;

static __attribute__((noinline)) void
chosen(void)
{
    sink++;
}

static __attribute__((noinline)) void
passed(void)
{
    sink++;
}

static BARE __attribute__((noinline)) void
bare(void)
{
    sink++;
}

static BARE __attribute__((noinline)) void
pair(void)
{
    hpmTstart(1, "pair");
    sink++;
    hpmTstop(1);
}

static BARE double
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static BARE double
per_call(void (*call)(void))
{
    double begin = now_ns();

    for (int i = 0; i < N_CALLS; i++)
        call();
    return (now_ns() - begin) / N_CALLS;
}

static BARE int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static BARE double
median(double *values)
{
    qsort(values, N_ROUNDS, sizeof *values, compare);
    return values[N_ROUNDS / 2];
}

/* Per call, without the call itself: a pair, a function that is chosen, one that is
 * not, in nanoseconds, and both of them in pairs. */
BARE int
main(void)
{
    static double pairs[N_ROUNDS], on[N_ROUNDS], off[N_ROUNDS];
    static double on_in_pairs[N_ROUNDS], off_in_pairs[N_ROUNDS];

    for (int i = 0; i < N_ROUNDS; i++) {
        double call = per_call(bare);

        pairs[i] = per_call(pair) - call;
        on[i] = per_call(chosen) - call;
        off[i] = per_call(passed) - call;
        on_in_pairs[i] = on[i] / pairs[i];
        off_in_pairs[i] = off[i] / pairs[i];
    }
    printf("%.1f %.1f %.1f %.3f %.3f\n", median(pairs), median(on), median(off),
           median(on_in_pairs), median(off_in_pairs));
    return 0;
}
