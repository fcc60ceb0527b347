/* SPDX-License-Identifier: BSD-3-Clause
 * A task-clock that misses a part of the processor time is no processor time. */
#include "record/shortclock.h"

#include <linux/perf_event.h>
#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "source/source.h"
#include "source/usage.h"
#include "tap.h"

enum { CLOCK, UTIME, STIME, N_EVENTS };
enum { MS = 1000000 };

static struct hpm_event events[N_EVENTS] = {
    [CLOCK] = {.source = &hpm_source_kernel,
               .encoding = {.type = PERF_TYPE_SOFTWARE,
                            .config = PERF_COUNT_SW_TASK_CLOCK}}};

/* What a section has: in milliseconds, of which `overhead` was taken off the clock. */
struct section {
    int tid;
    unsigned passed, clock, overhead, user, kernel;
    unsigned inside; /* of user time, in sections inside */
};

static struct hpm_value
counted(uint64_t ms, uint64_t exclusive)
{
    return (struct hpm_value){.is_present = true,
                              .has_exclusive = true,
                              .total = ms * MS,
                              .exclusive = exclusive * MS};
}

static struct hpm_experiment *
make(const struct section *section)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_record *record;

    for (int i = 0; i < N_EVENTS; i++)
        hpm_experiment_add_counter(experiment);
    record = hpm_experiment_add_record(experiment);
    record->tid = section->tid;
    record->time = counted(section->passed, section->passed);
    *hpm_experiment_value(experiment, 0, CLOCK) =
        counted(section->clock, section->clock - section->inside);
    hpm_experiment_value(experiment, 0, CLOCK)->overhead =
        (uint64_t)section->overhead * MS;
    *hpm_experiment_value(experiment, 0, UTIME) =
        counted(section->user, section->user - section->inside);
    *hpm_experiment_value(experiment, 0, STIME) =
        counted(section->kernel, section->kernel);
    return experiment;
}

/* The clock's value once it is judged: of the first `n_events`, where so much is
 * missing in the whole run. */
static struct hpm_value
judge(struct section section, size_t n_events, unsigned missing)
{
    struct hpm_experiment *experiment = make(&section);
    const struct hpm_eventset set = {.events = events, .n_events = n_events};
    struct hpm_value value;

    if (!hpm_shortclock_judge(experiment, 0, &set, (uint64_t)missing * MS))
        return (struct hpm_value){.state = HPM_STATE_UNDEFINED};
    value = *hpm_experiment_value(experiment, 0, CLOCK);
    if (value.state == HPM_STATE_LOST)
        is_text(experiment->counters[CLOCK].reason, hpm_usage_short_clock,
                "what is lost has its reason");
    hpm_experiment_free(experiment);
    return value;
}

static bool
is_lost(struct section section, unsigned missing)
{
    return judge(section, N_EVENTS, missing).state == HPM_STATE_LOST;
}

static void
test_with_times(void)
{
    ok(is_lost((struct section){-1, 500, 27, 0, 10, 43, 0}, 100),
       "a clock that has half of user and system time is lost");
    ok(!is_lost((struct section){-1, 500, 48, 0, 10, 43, 0}, 100),
       "not one that lacks a tenth of it");
    ok(!is_lost((struct section){-1, 500, 1, 0, 2, 8, 0}, 100),
       "nor one that lacks 9 ms");
    ok(!is_lost((struct section){-1, 500, 27, 25, 10, 43, 0}, 100),
       "what was taken off as overhead is not missing");
    ok(!is_lost((struct section){-1, 500, 27, 0, 10, 43, 0}, 0),
       "nor what a child did before the section waited for it");
    ok(!is_lost((struct section){-1, 500, 270, 0, 300, 90, 0}, 20),
       "of which more is not missing than of the run");
    ok(is_lost((struct section){-1, 2000, 1020, 0, 1010, 50, 1000}, 100),
       "what is outside the sections inside is judged, too");
    ok(is_lost((struct section){3, 500, 27, 0, 10, 43, 0}, 100),
       "a thread's likewise, where its user and system time are counted");
}

static void
test_without_times(void)
{
    struct hpm_value value =
        judge((struct section){0, 500, 27, 0, 0, 0, 0}, 1, 26);

    ok(value.state == HPM_STATE_COUNTED && value.uncertainty == 26.0 * MS,
       "without them the clock may be off by what the thread misses");
    value = judge((struct section){0, 100, 98, 0, 0, 0, 0}, 1, 26);
    is_near(value.uncertainty, 2.0 * MS, 1e-9,
            "but by no more than the time that passed has room for");
    value = judge((struct section){-1, 100, 98, 0, 0, 0, 0}, 1, 26);
    is_near(value.uncertainty, 26.0 * MS, 1e-9,
            "which is no bound where several threads run");
    value = judge((struct section){0, 500, 27, 0, 0, 0, 0}, 1, 0);
    is_near(value.uncertainty, 0.0, 1e-9, "nothing missing, nothing said");
}

static void
test_thread(void)
{
    struct hpm_shortclock clock = {.is_there = false};
    const uint64_t first[] = {0, 7, 0}, last[] = {0, 7, 0};

    is_count(hpm_shortclock_missing(&clock, first, last), 0,
             "of a run that never began nothing is missing");
    clock = (struct hpm_shortclock){
        .is_there = true, .slot = 1, .time = CLOCK_MONOTONIC, .begin = 1};
    ok(hpm_shortclock_missing(&clock, first, last) > 10 * MS,
       "a clock that stands still misses what passes");
}

int
main(void)
{
    struct hpm_error err;

    ok(hpm_source_usage.find("ru::utime", HPM_DOMAIN_USER, &events[UTIME],
                             &err) == HPM_FINDING_FOUND &&
           hpm_source_usage.find("ru::stime", HPM_DOMAIN_USER, &events[STIME],
                                 &err) == HPM_FINDING_FOUND,
       "getrusage is there");
    test_with_times();
    test_without_times();
    test_thread();
    for (int i = UTIME; i <= STIME; i++) {
        hpm_memory_free(events[i].description);
        hpm_memory_free(events[i].unit);
    }
    return done();
}
