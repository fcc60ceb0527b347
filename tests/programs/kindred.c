/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks of jobs with threads of known kinds, counted by events that the program
 * defines itself (PAPI's software-defined events):
 *
 *     kindred master TASK   as sPPM: thread 0 of each task prepares the work of
 *                           8 threads
 *     kindred wave TASK     as Sweep3D: one of 8 x 8 tasks, over which waves
 *                           pass from each corner; corners and edges have
 *                           fewer neighbours
 *     kindred same TASK     8 threads that differ only by chance
 *     kindred phases TASK   900 calls of one section: the first 300 load, the
 *                           next 300 wait, the last 300 store, each call 10
 *                           more than the one before; prints each call's count
 *
 * Threads take turns, since such events belong to the whole process. */
#include <pthread.h>
#include <sde_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libhpm.h>

enum { N_THREADS = 8, SIDE = 8, STEPS = 50 };

enum { LOADS, STORES, MISSES, WAITING, MESSAGES, DIVISIONS, N_COUNTS };

static const char *const names[N_COUNTS] = {"loads",   "stores",   "misses",
                                            "waiting", "messages", "divisions"};

static long long counts[N_COUNTS];
static long task;

/* A pseudo-random number from 0 to 99, from task, thread and step: the same in
 * each run. */
static long
chance(long thread, long step)
{
    unsigned long long x = (unsigned long long)(task * 1000003 + thread * 7919 +
                                                step * 104729 + 1);

    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ull;
    return (long)((x >> 32) % 100);
}

/* Spend some time: else calls would be too short to be measured, at least if
 * calibrations were disturbed. */
static void
spend(int n)
{
    for (volatile int i = 0; i < n; i++)
        ;
}

static void
compute(long thread, long step)
{
    spend(4000);
    for (int i = 0; i < N_COUNTS; i++)
        counts[i] +=
            i == MESSAGES ? 0 : 1000 + chance(thread, N_COUNTS * step + i);
}

/* The boundary conditions: more waits than loads. */
static void
prepare(void)
{
    counts[WAITING] += 900;
    counts[STORES] += 400;
    counts[MISSES] += 380;
    counts[LOADS] += 200;
}

static int has_master;

static void *
work(void *argument)
{
    long thread = *(const long *)argument;

    hpmTstart(1, "hydro");
    for (long step = 0; step < STEPS; step++) {
        compute(thread, step);
        if (thread == 0 && has_master)
            prepare();
    }
    hpmTstop(1);
    return NULL;
}

static void
run_threads(void)
{
    long zero = 0;

    work(&zero);
    for (long i = 1; i < N_THREADS; i++) {
        pthread_t thread;

        pthread_create(&thread, NULL, work, &i);
        pthread_join(thread, NULL);
    }
}

/* A wave comes from a corner: messages come from the two neighbours nearer to
 * it and go to the two others, as far as they exist. */
static void
pass_wave(long across, long down)
{
    long x = task % SIDE, y = task / SIDE;

    counts[MESSAGES] += (x - across >= 0 && x - across < SIDE) +
                        (x + across >= 0 && x + across < SIDE) +
                        (y - down >= 0 && y - down < SIDE) +
                        (y + down >= 0 && y + down < SIDE);
    counts[WAITING] +=
        2000 * ((x == 0 || x == SIDE - 1) + (y == 0 || y == SIDE - 1));
}

static void
run_wave(void)
{
    hpmTstart(1, "sweep");
    for (long step = 0; step < STEPS; step++) {
        spend(40000);
        for (int corner = 0; corner < 4; corner++)
            pass_wave(corner % 2 ? 1 : -1, corner / 2 ? 1 : -1);
        counts[MESSAGES] += chance(0, 1000 + step) == 0;
        counts[WAITING] += chance(0, 2000 + step);
    }
    hpmTstop(1);
}

static void
run_phases(void)
{
    enum { LENGTH = 300 };
    static const int of_phase[] = {LOADS, WAITING, STORES};

    for (long step = 0; step < 3 * LENGTH; step++) {
        long long before[N_COUNTS];

        memcpy(before, counts, sizeof before);
        hpmTstart(1, "step");
        compute(0, step);
        counts[of_phase[step / LENGTH]] += 5000;
        counts[STORES] += 10 * step;
        spend(20000);
        hpmTstop(1);
        for (int i = 0; i < N_COUNTS; i++)
            printf("%lld%c", counts[i] - before[i],
                   i + 1 < N_COUNTS ? ' ' : '\n');
    }
}

int
main(int argc, char **argv)
{
    papi_handle_t library = papi_sde_init("Kindred");
    const char *way = argc > 2 ? argv[1] : "";

    for (int i = 0; i < N_COUNTS; i++)
        papi_sde_register_counter(library, names[i],
                                  PAPI_SDE_RO | PAPI_SDE_DELTA,
                                  PAPI_SDE_long_long, &counts[i]);
    task = argc > 2 ? atol(argv[2]) : 0;
    hpmInit((int)task, "kindred");
    has_master = strcmp(way, "master") == 0;
    if (strcmp(way, "wave") == 0)
        run_wave();
    else if (strcmp(way, "phases") == 0)
        run_phases();
    else
        run_threads();
    hpmTerminate((int)task);
    return 0;
}
