/* SPDX-License-Identifier: BSD-3-Clause
 * Sections with known shares of the time: all do the same loop, each so many
 * times that they are as 10, 35, 105 and 350 microseconds, recursive, nested
 * and overlapping; and functions that run in one section each, so that a sample
 * in a wrong section is seen.
 *
 *     shares THREADS ROUNDS [SEED]  each thread does the sections so often;
 *                                   another seed has other times between
 *     shares short THREADS          one thread after the other, each about
 *                                   1 ms: five functions, a fifth each */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libhpm.h"

enum { MOST_THREADS = 64 };

static volatile double sink;
static long n_in_10_us;

struct job {
    int n_rounds;
    unsigned seed;
};

#define WORK(name)                                                             \
    static __attribute__((noinline, aligned(64))) void name(long n)            \
    {                                                                          \
        double sum = 0.0;                                                      \
                                                                               \
        for (long i = 0; i < n; i++) {                                         \
            sum += (double)i;                                                  \
            __asm__ volatile("# " #name : "+m"(sum));                          \
        }                                                                      \
        sink = sum;                                                            \
    }

WORK(in_10)
WORK(in_35)
WORK(in_105)
WORK(in_350)
WORK(between)
WORK(fifth_a)
WORK(fifth_b)
WORK(fifth_c)
WORK(fifth_d)
WORK(fifth_e)

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* The number of loops in about 10 us, by the quickest of ten tries, for a part
 * of one may be stolen; this need not be exact, since shares do not depend on
 * it. */
static long
calibrate(void)
{
    const long n = 200000;
    double least = 0.0;

    for (int i = 0; i < 10; i++) {
        double begin = now(), took;

        in_10(n);
        took = now() - begin;
        if (took > 0.0 && (least <= 0.0 || took < least))
            least = took;
    }
    return least > 0.0 ? (long)((double)n * 10.0 / least) + 1 : n / 100;
}

/* A pseudo-random number, the same for each thread with that seed. */
static long
draw(unsigned *state, long most)
{
    *state = *state * 1664525u + 1013904223u;
    return (long)((uint64_t)(*state >> 8) * (uint64_t)most >> 24);
}

static void
do_10(int depth)
{
    hpmTstart(1, "10"); /* recursive */
    in_10(n_in_10_us / 4);
    if (depth > 1)
        do_10(depth - 1);
    hpmTstop(1);
}

static void
do_others(void)
{
    hpmTstart(2, "350");
    in_350(35 * n_in_10_us / 2);
    hpmTstart(3, "35"); /* nested */
    in_35(7 * n_in_10_us / 2);
    hpmTstop(3);
    in_350(35 * n_in_10_us / 2);
    hpmTstart(4, "105"); /* overlapping */
    in_105(21 * n_in_10_us / 4);
    hpmTstop(2);
    in_105(21 * n_in_10_us / 4);
    hpmTstop(4);
}

/* The time between rounds varies: else a sample each 500 us would hit the same
 * place of each round. */
static void *
work(void *context)
{
    const struct job *job = context;
    unsigned state = job->seed * 2654435761u; /* far from the next one's */

    for (int i = 0; i < job->n_rounds; i++) {
        do_10(4);
        between(draw(&state, 20 * n_in_10_us));
        do_others();
        between(draw(&state, 20 * n_in_10_us));
    }
    return NULL;
}

static void *
work_shortly(void *context)
{
    hpmTstart(5, "short");
    fifth_a(20 * n_in_10_us);
    fifth_b(20 * n_in_10_us);
    fifth_c(20 * n_in_10_us);
    hpmTstop(5);
    hpmTstart(6, "rest");
    fifth_d(20 * n_in_10_us);
    fifth_e(20 * n_in_10_us);
    hpmTstop(6);
    return context;
}

int
main(int argc, char **argv)
{
    bool is_short = argc > 2 && strcmp(argv[1], "short") == 0;
    int n_threads = argc > 2 ? atoi(argv[is_short ? 2 : 1]) : 1;
    int n_rounds = argc > 2 ? atoi(argv[2]) : 100;
    unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    pthread_t threads[MOST_THREADS];
    struct job jobs[MOST_THREADS];

    n_in_10_us = calibrate();
    hpmInit(0, "shares");
    for (int i = 0; is_short && i < n_threads; i++) {
        pthread_create(&threads[0], NULL, work_shortly, NULL);
        pthread_join(threads[0], NULL);
    }
    for (int i = 0; !is_short && i < n_threads && i < MOST_THREADS; i++) {
        jobs[i] = (struct job){.n_rounds = n_rounds,
                               .seed = seed * MOST_THREADS + (unsigned)i + 1};
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; !is_short && i < n_threads && i < MOST_THREADS; i++)
        pthread_join(threads[i], NULL);
    hpmTerminate(0);
    return 0;
}
