/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of PAPI's events that take turns: software-defined events, whose counts
 * the program knows, with a clock that stands still unless the test moves
 * it. */
#include "source/papislices.h"

#include <pthread.h>
#include <sde_lib.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "model/estimate.h"
#include "source/papilib.h"
#include "source/sources.h"
#include "tap.h"

/* For the leak sanitizer: libsde and libpapi keep a string for each name. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
    return "leak:libsde.so\nleak:libpapi.so\n";
}

enum { N_COUNTERS = 4, N_THREADS = 4, A_MILLISECOND = 1000000 };

static long long counters[N_COUNTERS];
static uint64_t now = 1;

static uint64_t
replayed_clock(clockid_t clock)
{
    (void)clock;
    return now;
}

/* For each millisecond, counter i adds rate[i], and the slicer looks at the
 * clock. */
static void
pass(const long long *rates, int milliseconds)
{
    while (milliseconds-- > 0) {
        for (int i = 0; i < N_COUNTERS; i++)
            counters[i] += rates[i];
        now += A_MILLISECOND;
        for (struct hpm_papislices *each = hpm_papislices_first(); each != NULL;
             each = hpm_papislices_next(each))
            hpm_papislices_look(each);
    }
}

static void
choose(struct hpm_eventset *set, const char *names, const char *at_once)
{
    struct hpm_error err;

    *set = (struct hpm_eventset){.takes_turns = at_once != NULL};
    if (at_once != NULL)
        setenv("HPM_SHARE_EVENTS", at_once, 1);
    hpm_eventset_choose(set, names, NULL, HPM_DOMAIN_USER,
                        hpm_sources_choose("papi", NULL), &err);
}

static const char four[] = "sde:::Own::c0,sde:::Own::c1,sde:::Own::c2,"
                           "sde:::Own::c3";

/* ---- sets ----------------------------------------------------------- */

static void
test_sets(void)
{
    struct hpm_eventset set;
    bool is_filled = true;
    uint64_t all = 0;

    choose(&set, four, NULL);
    ok(set.n_events == 4 && set.events[3].encoding.config == 0,
       "nothing takes turns where nobody asked for that");
    hpm_eventset_clear(&set);
    choose(&set, four, "4");
    ok(set.events[0].encoding.config == 0 && set.events[3].encoding.config == 0,
       "nor where all are counted at once");
    hpm_eventset_clear(&set);
    choose(&set, four, "1");
    for (size_t i = 0; i < 4; i++)
        all |= set.events[i].encoding.config;
    ok(all == 15 && set.events[1].encoding.config == 2,
       "one at a time makes four sets");
    hpm_eventset_clear(&set);
    choose(&set, four, "3");
    for (size_t i = 0; i < 4; i++)
        is_filled = is_filled && set.events[i].encoding.config != 0;
    all = set.events[0].encoding.config | set.events[3].encoding.config << 2;
    ok(is_filled && set.events[3].encoding.config == 2 && all == (3 | 2 << 2),
       "three at a time makes two, the second with two of the first, too");
    hpm_eventset_clear(&set);
}

/* ---- four threads ---------------------------------------------------- */

static const long long steady[N_COUNTERS] = {1000, 1500, 2000, 2500};

static pthread_barrier_t barrier;
static struct hpm_eventset of_threads;

struct reader {
    pthread_t thread;
    uint64_t from[HPM_MAX_SLOTS], to[HPM_MAX_SLOTS];
    struct hpm_estimate estimates[N_COUNTERS];
};

/* Like sections do: a step for each end of a slice that is told. */
static void
estimate(const struct hpm_meter *meter, const uint64_t *from,
         const uint64_t *to, struct hpm_estimate *ret_estimates)
{
    uint64_t difference[HPM_MAX_SLOTS], at[HPM_MAX_SLOTS];
    struct hpm_blocks blocks[N_COUNTERS] = {0};
    bool goes_on = true;

    memcpy(at, from, sizeof at);
    while (goes_on) {
        goes_on = hpm_meter_step(meter, at, from, to);
        for (size_t i = 0; i < N_COUNTERS; i++) {
            const uint64_t *end = goes_on ? at : to;
            size_t clock = meter->events[i].clock_slot;
            const struct hpm_turns turns = {end[1 + i] - from[1 + i],
                                            end[clock] - from[clock],
                                            end[clock + 1] - from[clock + 1]};

            hpm_blocks_reach(&blocks[i], &turns);
        }
    }
    for (size_t i = 0; i < meter->n_slots; i++)
        difference[i] = to[i] - from[i];
    for (size_t i = 0; i < N_COUNTERS; i++)
        hpm_meter_estimate(meter, i, difference, &blocks[i], &ret_estimates[i]);
}

static void *
read_twice(void *argument)
{
    struct reader *reader = argument;
    struct hpm_meter *meter =
        hpm_meter_open(&of_threads, HPM_TARGET_THREAD, 0, NULL);

    for (int edge = 0; edge < 2; edge++) {
        pthread_barrier_wait(&barrier);
        hpm_meter_read(meter, edge == 0 ? reader->from : reader->to);
        pthread_barrier_wait(&barrier);
    }
    estimate(meter, reader->from, reader->to, reader->estimates);
    pthread_barrier_wait(&barrier);
    hpm_meter_close(meter);
    return NULL;
}

static double
off_by(const struct hpm_estimate *estimate, long long exact)
{
    return fabs((double)estimate->value / (double)exact - 1);
}

static bool
covers(const struct hpm_estimate *estimate, long long exact)
{
    return fabs((double)estimate->value - (double)exact) <=
           hpm_estimate_reach(estimate->freedom) * estimate->error + 0.5;
}

static void
test_threads(void)
{
    struct reader readers[N_THREADS];
    bool is_shared = true, is_near = true, is_even = true;

    choose(&of_threads, four, "1");
    pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
    memset(readers, 0, sizeof readers);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&readers[i].thread, NULL, read_twice, &readers[i]);
    for (int edge = 0; edge < 2; edge++) {
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        if (edge == 0)
            pass(steady, 2000);
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(readers[i].thread, NULL);
        for (size_t j = 0; j < N_COUNTERS; j++) {
            const struct hpm_estimate *each = &readers[i].estimates[j];

            is_shared = is_shared && each->state == HPM_STATE_SHARED &&
                        each->share > 0.2 && each->share < 0.3;
            is_near = is_near && off_by(each, steady[j] * 2000) < 0.05;
            is_even = is_even && each->n_windows >= 8 && each->freedom >= 7 &&
                      each->error < 0.01 * (double)each->value;
        }
    }
    ok(is_shared, "in four threads four events are shared, a quarter each");
    ok(is_near, "at a steady rate within 5 per cent");
    ok(is_even, "and known to be, by the ends of slices in the one call");
    pthread_barrier_destroy(&barrier);
    hpm_eventset_clear(&of_threads);
}

/* ---- phases ---------------------------------------------------------- */

static const long long calm[N_COUNTERS] = {10, 0, 300, 2500};

static unsigned
draw(unsigned most)
{
    static uint32_t state = 20010423;

    state = state * 1664525 + 1013904223;
    return (state >> 8) % most;
}

/* Two rates, in phases of random length; how often is the truth in the
 * interval?  *ret_n is the number of values that have an interval. */
static unsigned
cover(const struct hpm_meter *meter, unsigned shortest, unsigned longest,
      unsigned *ret_n)
{
    uint64_t from[HPM_MAX_SLOTS] = {0}, to[HPM_MAX_SLOTS] = {0};
    struct hpm_estimate estimates[N_COUNTERS];
    unsigned n_covered = 0;

    *ret_n = 0;
    for (int run = 0; run < 60; run++) {
        long long before[N_COUNTERS];

        memcpy(before, counters, sizeof before);
        hpm_meter_read(meter, from);
        for (int phase = 0; phase < 40; phase++)
            pass(phase % 2 != 0 ? steady : calm,
                 (int)(shortest + draw(longest - shortest)));
        hpm_meter_read(meter, to);
        estimate(meter, from, to, estimates);
        for (size_t i = 0; i < N_COUNTERS; i++) {
            if (estimates[i].state != HPM_STATE_SHARED)
                continue;
            ++*ret_n;
            n_covered += covers(&estimates[i], counters[i] - before[i]);
        }
    }
    return n_covered;
}

static void
test_phases(void)
{
    static const struct {
        unsigned shortest, longest;
        const char *sentence;
    } rows[] = {{1, 10, "phases shorter than a slice"},
                {5, 60, "phases of slices"},
                {40, 120, "long phases"}};
    struct hpm_eventset set;
    struct hpm_meter *meter;

    choose(&set, four, "1");
    meter = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned n, n_covered;

        n_covered = cover(meter, rows[i].shortest, rows[i].longest, &n);
        printf("# %s: %u of %u in their 95 %% intervals\n", rows[i].sentence,
               n_covered, n);
        ok(n > 100 && n_covered >= n * 85 / 100, rows[i].sentence);
    }
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
}

/* ---- events without a value ----------------------------------------- */

static void
test_short(void)
{
    static const long long back[N_COUNTERS] = {10, 10, 10, -10};
    uint64_t from[HPM_MAX_SLOTS] = {0}, to[HPM_MAX_SLOTS] = {0};
    struct hpm_estimate estimates[N_COUNTERS];
    struct hpm_eventset set;
    struct hpm_meter *meter;

    choose(&set, four, "1");
    meter = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, NULL);
    hpm_meter_read(meter, from);
    pass(steady, 5);
    hpm_meter_read(meter, to);
    estimate(meter, from, to, estimates);
    ok(estimates[0].state == HPM_STATE_COUNTED && estimates[0].value == 5000,
       "in less than a slice the event whose turn it is is counted");
    ok(estimates[1].state == HPM_STATE_UNSCHEDULED,
       "an event that had no turn has no value");
    pass(steady, 40);
    hpm_meter_read(meter, to);
    estimate(meter, from, to, estimates);
    ok(estimates[1].state == HPM_STATE_BRIEF,
       "nor has one that had a turn or two");
    pass(back, 100);
    hpm_meter_read(meter, to);
    ok(meter->events[3].state == HPM_STATE_LOST &&
           meter->events[2].state == HPM_STATE_COUNTED,
       "one that went back is lost, the others are not");
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
}

static void
test_fork(void)
{
    uint64_t from[HPM_MAX_SLOTS] = {0}, to[HPM_MAX_SLOTS] = {0};
    struct hpm_estimate estimates[N_COUNTERS];
    struct hpm_eventset set;
    struct hpm_meter *meter;
    int status = -1;
    pid_t child;

    choose(&set, four, "1");
    meter = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, NULL);
    hpm_meter_read(meter, from);
    pass(steady, 400);
    child = fork();
    if (child == 0) {
        hpm_memory_forget();
        hpm_meter_stop(meter);
        _exit(0);
    }
    waitpid(child, &status, 0);
    pass(steady, 400);
    hpm_meter_read(meter, to);
    estimate(meter, from, to, estimates);
    ok(status == 0 && estimates[2].state == HPM_STATE_SHARED &&
           off_by(&estimates[2], 800 * steady[2]) < 0.05,
       "a child that gives up what it inherited does not stop its parent's");
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
}

/* There is a value, or a state that tells why there is none. */
static void
test_without_memory(void)
{
    bool is_right = true;

    for (unsigned long k = 1; k < 60; k++) {
        uint64_t from[HPM_MAX_SLOTS] = {0}, to[HPM_MAX_SLOTS] = {0};
        struct hpm_estimate estimates[N_COUNTERS];
        struct hpm_meter *meter = NULL;
        struct hpm_eventset set;

        hpm_memory_fail_at(k, false);
        choose(&set, four, "1");
        if (set.n_events == 4)
            meter = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, NULL);
        hpm_memory_fail_at(0, false);
        if (meter != NULL) {
            hpm_meter_read(meter, from);
            pass(steady, 1200);
            hpm_meter_read(meter, to);
            estimate(meter, from, to, estimates);
            for (size_t i = 0; i < 4; i++)
                is_right = is_right &&
                           (!hpm_state_has_value(estimates[i].state) ||
                            off_by(&estimates[i], 1200 * steady[i]) < 0.05);
        }
        hpm_meter_close(meter);
        hpm_eventset_clear(&set);
    }
    ok(is_right, "without memory, values are right or missing");
}

static bool
can_count(void)
{
    struct hpm_eventset set;
    bool can;

    choose(&set, "sde:::Own::c0", NULL);
    can = set.n_events == 1 && set.events[0].source == &hpm_source_papi;
    if (!can)
        skip("slices of software-defined events",
             set.n_events > 0 ? set.events[0].reason : "no memory");
    hpm_eventset_clear(&set);
    return can;
}

/* ---- PAPI refuses ----------------------------------------------------- */

/* The call of PAPI, of those that open a set, that fails. */
static int n_until_failure;
static struct hpm_papilib real;

static bool
fails(void)
{
    return --n_until_failure == 0;
}

static int
play_create(int *set)
{
    return fails() ? PAPI_ENOMEM : real.create_eventset(set);
}

static int
play_add(int set, const char *name)
{
    return fails() ? PAPI_ECNFLCT : real.add_named_event(set, name);
}

static int
play_start(int set)
{
    return fails() ? PAPI_ECNFLCT : real.start(set);
}

static int
play_stop(int set, long long *values)
{
    return fails() ? PAPI_ESYS : real.stop(set, values);
}

/* How many of the four events count when call `n` fails; -1: one that does not has
 * no reason. */
static int
n_counting(int n)
{
    struct hpm_eventset set;
    struct hpm_meter *meter;
    int n_events = 0;

    choose(&set, four, "1");
    n_until_failure = n;
    meter = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, NULL);
    n_until_failure = n_until_failure > 0 ? -1 : n_until_failure;
    for (size_t i = 0; i < 4 && n_events >= 0; i++) {
        if (hpm_state_has_value(meter->events[i].state))
            n_events++;
        else if (meter->events[i].reason == NULL)
            n_events = -1;
    }
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
    return n_events;
}

static void
test_refusals(void)
{
    /* of each set: made, an event added, started; all but one stopped */
    enum { N_CALLS = 4 * 3 + 3 };
    int n_wrong = 0;

    real = hpm_papilib;
    hpm_papilib.create_eventset = play_create;
    hpm_papilib.add_named_event = play_add;
    hpm_papilib.start = play_start;
    hpm_papilib.stop = play_stop;
    for (int n = 1; n <= N_CALLS; n++)
        n_wrong += n_counting(n) != 0;
    is_count((uint64_t)n_wrong, 0,
             "where PAPI refuses a call no event counts, and says why");
    is_count((uint64_t)n_counting(1000), 4, "else all do");
    hpm_papilib = real;
}

int
main(void)
{
    papi_handle_t library = papi_sde_init("Own");

    for (int i = 0; i < N_COUNTERS; i++) {
        const char name[] = {'c', (char)('0' + i), '\0'};

        papi_sde_register_counter(library, name, PAPI_SDE_RO | PAPI_SDE_DELTA,
                                  PAPI_SDE_long_long, &counters[i]);
    }
    hpm_papislices_clock = replayed_clock;
    if (can_count()) {
        test_sets();
        test_threads();
        test_phases();
        test_short();
        test_fork();
        test_without_memory();
        test_refusals();
    }
    return done();
}
