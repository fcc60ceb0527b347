/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of time and counters without a library of sections: two clock
 * readings and two readings of a running PAPI event set.  A program of its own,
 * since libhpm leaves PAPI to a program that uses PAPI itself. */
#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "counters.h"
#include "timing.h"

/* PAPI lets one event set of a component run in a thread at a time. */
static __thread int event_set = PAPI_NULL;
static int n_events;

static void
check(int status)
{
    if (status != PAPI_OK) {
        fprintf(stderr, "bench/anchor: PAPI: %s\n", PAPI_strerror(status));
        exit(1);
    }
}

static bool
start_counting(void)
{
    event_set = PAPI_NULL;
    if (PAPI_create_eventset(&event_set) != PAPI_OK)
        return false;
    for (int i = 0; i < n_events; i++) {
        char name[64];

        snprintf(name, sizeof name, "sde:::Bench::c%d", i);
        if (PAPI_add_named_event(event_set, name) != PAPI_OK)
            return false;
    }
    return PAPI_start(event_set) == PAPI_OK;
}

static void
stop_counting(void)
{
    long long values[BENCH_SDE_COUNTERS];

    check(PAPI_stop(event_set, values));
    check(PAPI_cleanup_eventset(event_set));
    check(PAPI_destroy_eventset(&event_set));
}

static bool
enter_thread(void)
{
    return PAPI_register_thread() == PAPI_OK && start_counting();
}

static void
leave_thread(void)
{
    stop_counting();
    check(PAPI_unregister_thread());
}

static void
run_anchor(long n)
{
    long long values[BENCH_SDE_COUNTERS];
    struct timespec now;

    for (long i = 0; i < 2 * n; i++) {
        check(PAPI_read(event_set, values));
        clock_gettime(CLOCK_MONOTONIC, &now);
        KEEP(now.tv_nsec);
    }
}

static void
run_read2(long n)
{
    long long values[BENCH_SDE_COUNTERS];

    for (long i = 0; i < 2 * n; i++)
        check(PAPI_read(event_set, values));
}

static void
measure_pairs(void)
{
    if (!start_counting()) {
        puts("refused PAPI cannot count software defined events here");
        return;
    }
    BENCH_MEASURE({"pair", run_anchor}, {"read2", run_read2},
                  {"clk2", bench_run_clk2});
    stop_counting();
}

static void
measure_threads(void)
{
    static const struct bench_team team = {"pair", run_anchor, enter_thread,
                                           leave_thread};

    if (!bench_measure_teams(&team))
        puts("refused PAPI cannot count software defined events here");
}

static void
print_version(void)
{
    printf("PAPI %d.%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
           PAPI_VERSION_MINOR(PAPI_VERSION),
           PAPI_VERSION_REVISION(PAPI_VERSION));
}

int
main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "version") == 0) {
        print_version();
        return 0;
    }
    n_events = argc == 3 ? atoi(argv[2]) : 0;
    if (n_events < 1 || n_events > BENCH_SDE_COUNTERS) {
        fputs("usage: anchor version | pairs EVENTS | threads EVENTS\n",
              stderr);
        return 2;
    }
    if (!bench_sde_register() ||
        PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
        PAPI_thread_init(pthread_self) != PAPI_OK) {
        puts("refused PAPI does not start here");
        return 0;
    }
    if (strcmp(argv[1], "threads") == 0)
        measure_threads();
    else
        measure_pairs();
    return 0;
}
