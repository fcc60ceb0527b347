/* SPDX-License-Identifier: BSD-3-Clause
 * Timing loops: the CPU time of the thread for one pair. */
#include "timing.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "statistic.h"

/* Long compared with the two clock readings around it, short compared with a
 * time slice of the scheduler.  Teams of threads need longer slices, or else
 * the threads run one after the other. */
static const double slice_ns = 2e6, team_slice_ns = 4e6;

enum { MAX_TEAM = 8, UNROLLED = 64 };

static double
clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double
bench_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

double
bench_wall_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

const char *
bench_clocksource(void)
{
    static char name[32] = "unknown";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/"
                       "current_clocksource",
                       "re");

    if (file != NULL) {
        if (fscanf(file, "%31s", name) != 1)
            strcpy(name, "unknown");
        fclose(file);
    }
    return name;
}

bool
bench_clock_is_tick(void)
{
    const char *name = bench_clocksource();

    return strcmp(name, "tsc") == 0 || strcmp(name, "arch_sys_counter") == 0;
}

void
bench_run_clk2(long n)
{
    struct timespec now;

    for (long i = 0; i < n; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        KEEP(now.tv_nsec);
        clock_gettime(CLOCK_MONOTONIC, &now);
        KEEP(now.tv_nsec);
    }
}

void
bench_run_tick2(long n)
{
    if (!bench_clock_is_tick()) {
        bench_run_clk2(n);
        return;
    }
    for (long i = 0; i < n; i++) {
        KEEP(bench_tick());
        KEEP(bench_tick());
    }
}

/* Find how many pairs take about this long; this is also the warm-up.  The
 * first run of all is not timed: the first call of a thread sets libhpm up,
 * which may take longer than a whole slice, and would leave slices of a few
 * pairs. */
static long
calibrate(void (*run)(long n), double wanted_ns)
{
    run(UNROLLED);
    for (long n = UNROLLED;; n *= 2) {
        double used = bench_cpu_ns();

        run(n);
        used = bench_cpu_ns() - used;
        if (used > wanted_ns / 4)
            return (long)((double)n * wanted_ns / used / UNROLLED + 1) *
                   UNROLLED;
    }
}

/* A variant while it is measured. */
struct measurement {
    long n; /* pairs in a slice */
    double ns[BENCH_SLICES];
};

static void
time_slice(const struct bench_variant *variant, struct measurement *measurement,
           size_t slice)
{
    double used = bench_cpu_ns();

    variant->run(measurement->n);
    used = bench_cpu_ns() - used;
    measurement->ns[slice] = used / (double)measurement->n;
}

void
bench_measure(const struct bench_variant *variants, size_t n)
{
    struct measurement measurements[BENCH_MAX_VARIANTS];

    if (n > BENCH_MAX_VARIANTS)
        abort();
    for (size_t i = 0; i < n; i++)
        measurements[i].n = calibrate(variants[i].run, slice_ns);
    for (size_t slice = 0; slice < BENCH_SLICES; slice++) {
        for (size_t i = 0; i < n; i++)
            time_slice(&variants[i], &measurements[i], slice);
    }
    for (size_t i = 0; i < n; i++)
        printf("%s %.4f\n", variants[i].name,
               bench_median(measurements[i].ns, BENCH_SLICES));
}

/* ---- teams of threads ------------------------------------------------ */

struct member {
    pthread_t thread;
    const struct bench_team *team;
    pthread_barrier_t *barrier;
    long n;
    double used_ns;
    bool has_entered;
};

static void *
run_member(void *argument)
{
    struct member *member = argument;
    const struct bench_team *team = member->team;
    double before;

    member->has_entered = team->enter == NULL || team->enter();
    if (member->has_entered)
        team->run(16 * UNROLLED);
    pthread_barrier_wait(member->barrier);
    before = bench_cpu_ns();
    if (member->has_entered)
        team->run(member->n);
    member->used_ns = bench_cpu_ns() - before;
    pthread_barrier_wait(member->barrier);
    if (member->has_entered && team->leave != NULL)
        team->leave();
    return NULL;
}

/* Nanoseconds per pair; below 0 when a thread could not enter. */
static double
time_team(const struct bench_team *team, unsigned n_threads, long n)
{
    struct member members[MAX_TEAM];
    pthread_barrier_t barrier;
    double used_ns = 0;

    pthread_barrier_init(&barrier, NULL, n_threads);
    for (unsigned i = 0; i < n_threads; i++) {
        members[i] = (struct member){.team = team, .barrier = &barrier, .n = n};
        if (pthread_create(&members[i].thread, NULL, run_member, &members[i]) !=
            0) {
            fputs("bench: cannot create a thread\n", stderr);
            exit(1);
        }
    }
    for (unsigned i = 0; i < n_threads; i++) {
        pthread_join(members[i].thread, NULL);
        used_ns += members[i].has_entered ? members[i].used_ns : -1e18;
    }
    pthread_barrier_destroy(&barrier);
    return used_ns / (double)n / n_threads;
}

/* The calibration runs in a thread of its own, like the others. */
static long
calibrate_team(const struct bench_team *team)
{
    for (long n = UNROLLED;; n *= 2) {
        double ns = time_team(team, 1, n);

        if (ns < 0)
            return 0;
        if (ns * (double)n > team_slice_ns / 4)
            return (long)(team_slice_ns / ns / UNROLLED + 1) * UNROLLED;
    }
}

bool
bench_measure_teams(const struct bench_team *team)
{
    static const unsigned sizes[] = {1, 2, MAX_TEAM};
    enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
    double ns[N_SIZES][BENCH_SLICES];
    long n = calibrate_team(team);

    if (n == 0)
        return false;
    for (size_t slice = 0; slice < BENCH_SLICES; slice++) {
        for (size_t i = 0; i < N_SIZES; i++)
            ns[i][slice] = time_team(team, sizes[i], n);
    }
    for (size_t i = 0; i < N_SIZES; i++)
        printf("%s_t%u %.4f\n", team->name, sizes[i],
               bench_median(ns[i], BENCH_SLICES));
    return true;
}
