/* SPDX-License-Identifier: BSD-3-Clause
 * Sections whose shares of the time are known: all do the same loop, each so many
 * times that they are as 10, 35, 105 and 350 microseconds; and functions that run in
 * one section each, so that a sample in a wrong section shows.
 *
 *     shares THREADS ROUNDS         each thread does the sections so often
 *     shares short THREADS          one thread after the other, each about 1 ms:
 *                                   five functions, a fifth each
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libhpm.h"

enum { MOST_THREADS = 64 };

static volatile double sink;
static long n_in_10_us;

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

/* How much work is 10 us: about, which is enough, for shares do not depend on it. */
static long
calibrate(void)
{
    const long n = 2000000;
    double begin = now(), took;

    in_10(n);
    took = now() - begin;
    return took > 0.0 ? (long)((double)n * 10.0 / took) + 1 : n / 1000;
}

static void *
work(void *context)
{
    int n_rounds = *(const int *)context;

    for (int i = 0; i < n_rounds; i++) {
        hpmTstart(1, "10");
        in_10(n_in_10_us);
        hpmTstop(1);
        hpmTstart(2, "350");
        in_350(35 * n_in_10_us / 2);
        hpmTstart(3, "35"); /* nested */
        in_35(7 * n_in_10_us / 2);
        hpmTstop(3);
        in_350(35 * n_in_10_us / 2);
        hpmTstop(2);
        hpmTstart(4, "105");
        in_105(21 * n_in_10_us / 2);
        hpmTstop(4);
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
    pthread_t threads[MOST_THREADS];

    n_in_10_us = calibrate();
    hpmInit(0, "shares");
    for (int i = 0; is_short && i < n_threads; i++) {
        pthread_create(&threads[0], NULL, work_shortly, NULL);
        pthread_join(threads[0], NULL);
    }
    for (int i = 0; !is_short && i < n_threads && i < MOST_THREADS; i++)
        pthread_create(&threads[i], NULL, work, &n_rounds);
    for (int i = 0; !is_short && i < n_threads && i < MOST_THREADS; i++)
        pthread_join(threads[i], NULL);
    hpmTerminate(0);
    return 0;
}
