/* SPDX-License-Identifier: BSD-3-Clause
 * The thread that takes samples out of rings: whose they are, from run to run. */
#include <stdatomic.h>

#include "record/threads.h"

/* In place of what takes samples out of rings. */
static atomic_int n_rounds;

static atomic_size_t n_room;

static size_t
note_round(struct hpm_threads *threads)
{
    (void)threads;
    atomic_fetch_add(&n_rounds, 1);
    return atomic_load(&n_room);
}

#define hpm_threads_collect_samples note_round
#include "record/drainer.c"

#include "tap.h"

static struct hpm_threads first, second;
static struct hpm_sampling sampling; /* no events: rounds are far apart */

static struct hpm_threads *
now_drained(void)
{
    struct hpm_threads *threads;

    pthread_mutex_lock(&drainer.lock);
    threads = drainer.threads;
    pthread_mutex_unlock(&drainer.lock);
    return threads;
}

static void
test_runs(void)
{
    struct hpm_error err;

    ok(hpm_drainer_start(&first, &sampling, &err), "it is started");
    ok(now_drained() == &first, "for the threads of that run");
    ok(hpm_drainer_start(&second, &sampling, &err) && now_drained() == &first,
       "what begins meanwhile, to calibrate, does not take it away");
    hpm_drainer_end(&second);
    ok(now_drained() == &first, "nor does the end of that");
    hpm_drainer_end(&first);
    ok(now_drained() == NULL, "at the end of the run it has nothing to do");
    ok(hpm_drainer_start(&second, &sampling, &err) && now_drained() == &second,
       "the next run has it, whether it was still asleep or had ended");
    hpm_drainer_end(&second);
}

/* Whatever the drainer is doing at this instant, it ends at last. */
static void
test_asleep(void)
{
    struct hpm_error err;

    pthread_mutex_lock(&drainer.lock);
    atomic_store(&drainer.pid, getpid());
    drainer.threads = NULL;
    pthread_mutex_unlock(&drainer.lock);
    ok(hpm_drainer_start(&first, &sampling, &err) && now_drained() == &first,
       "one that is asleep, of an earlier run, goes on for the new one");
    hpm_drainer_end(&first);
}

/* It may take long on a machine with other work, but not for ever. */
static bool
has_rounds(int n)
{
    for (int i = 0; i < 60000 && atomic_load(&n_rounds) < n; i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return atomic_load(&n_rounds) >= n;
}

static void
test_rounds(void)
{
    struct hpm_sampling quick = {.n_events = 1};
    struct hpm_error err;
    int n = atomic_load(&n_rounds);

    quick.events[0].event.encoding.type = PERF_TYPE_SOFTWARE;
    quick.events[0].event.encoding.config = PERF_COUNT_SW_TASK_CLOCK;
    ok(hpm_drainer_start(&first, &quick, &err), "it is started");
    ok(has_rounds(n + 3), "it goes on from round to round");
    hpm_drainer_end(&first);
    ok(!drain() && atomic_load(&drainer.pid) == 0,
       "and leaves when there is nothing to do");
}

/* How long it sleeps, where a thread can take so many samples in `ns`. */
static void
test_interval(void)
{
    struct hpm_sampling of = {.n_events = 1};
    struct hpm_sampled *clock = &of.events[0], *other = &of.events[1];

    is_count((uint64_t)find_interval(&of), LONGEST_NS / 2,
             "of a counter it is not known how often it comes");
    clock->event.encoding.type = PERF_TYPE_SOFTWARE;
    clock->event.encoding.config = PERF_COUNT_SW_TASK_CLOCK;
    clock->period = 100000;
    is_count((uint64_t)find_interval(&of), 15000000,
             "150 samples of a clock take as long as they take");
    clock->event.encoding.config = PERF_COUNT_SW_CPU_CLOCK;
    is_count((uint64_t)find_interval(&of), 15000000, "of the other one, too");
    of.n_events = 2;
    is_count((uint64_t)find_interval(&of), 15000000, "the quickest decides,");
    *other = *clock;
    other->period = 40000;
    is_count((uint64_t)find_interval(&of), 6000000, "whichever that is,");
    other->period = 1000;
    is_count((uint64_t)find_interval(&of), SHORTEST_NS, "down to a limit");
    clock->event.encoding.config = PERF_COUNT_SW_PAGE_FAULTS;
    of.n_events = 1;
    is_count((uint64_t)find_interval(&of), LONGEST_NS / 2,
             "other events of the kernel are no clocks");
    of.n_events = 0;
    is_count((uint64_t)find_interval(&of), LONGEST_NS, "nothing is seldom");
}

/* How long it sleeps where rings have room for so many samples. */
static long
rest_with(uint64_t period, size_t n_events, uint64_t config, size_t n_samples)
{
    struct hpm_sampling of = {.n_events = n_events};

    for (size_t i = 0; i < n_events; i++) {
        of.events[i].event.encoding.type = PERF_TYPE_SOFTWARE;
        of.events[i].event.encoding.config = config;
        of.events[i].period = period;
    }
    set_times(&of);
    drainer.n_short = 0;
    choose_rest(n_samples);
    return atomic_load(&drainer.is_calm) ? drainer.calm_ns
                                         : atomic_load(&drainer.ns);
}

static void
test_calm(void)
{
    enum {
        CLOCK = PERF_COUNT_SW_CPU_CLOCK,
        FAULTS = PERF_COUNT_SW_PAGE_FAULTS
    };

    is_count((uint64_t)rest_with(100000, 1, CLOCK, 1365), 136500000,
             "until the half of a ring can be full,");
    is_count((uint64_t)rest_with(100000, 2, CLOCK, 1365), 68250000,
             "with two events half as long,");
    is_count((uint64_t)rest_with(1000000, 1, CLOCK, 1365), CALM_NS,
             "but no longer than that;");
    is_count((uint64_t)rest_with(1000000, 1, FAULTS, 1365), 170625000,
             "a counter counts 8 in a nanosecond at most");
    is_count((uint64_t)rest_with(1000000, 1, CLOCK, 0), LONGEST_NS,
             "without room it is as at the begin");
    is_count((uint64_t)rest_with(1000, 1, CLOCK, 1365), SHORTEST_NS,
             "and where a ring is full sooner");
    is_count((uint64_t)rest_with(1, 1, FAULTS, SIZE_MAX), LONGEST_NS / 2,
             "as when nobody knows how many come;");
    is_count((uint64_t)rest_with(1, 0, CLOCK, SIZE_MAX), CALM_NS,
             "nothing comes: long");
    rest_with(1000000, 1, CLOCK, 0);
    for (int i = 1; i < SHORT_ROUNDS; i++)
        choose_rest(1365);
    ok(!atomic_load(&drainer.is_calm), "after a mapping rounds are short,");
    choose_rest(1365);
    ok(atomic_load(&drainer.is_calm), "and long again after a second or two");
    hpm_drainer_wake();
    ok(!atomic_load(&drainer.is_calm), "a thread that begins or ends ends it");
    atomic_store(&drainer.ns, 1);
    rest();
    ok(true, "then it sleeps for the short time");
}

int
main(void)
{
    hpm_threads_init(&first, 1);
    hpm_threads_init(&second, 1);
    test_runs();
    test_asleep();
    test_rounds();
    test_interval();
    test_calm();
    return done();
}
