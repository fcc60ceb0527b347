/* SPDX-License-Identifier: BSD-3-Clause
 * A task-clock that misses a part of the processor time is not used as
 * processor time. */
#include "record/shortclock.h"

#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "host/memory.h"
#include "source/source.h"
#include "source/usage.h"
#include "tap.h"

enum { CLOCK, UTIME, STIME, SECOND, N_EVENTS };
enum { MS = 1000000 };

static struct hpm_event events[N_EVENTS] = {
    [CLOCK] = {.source = &hpm_source_kernel,
               .encoding = {.type = PERF_TYPE_SOFTWARE,
                            .config = PERF_COUNT_SW_CPU_CLOCK}},
    [SECOND] = {.source = &hpm_source_kernel,
                .encoding = {.type = PERF_TYPE_SOFTWARE,
                             .config = PERF_COUNT_SW_TASK_CLOCK}}};

/* The times of a section in milliseconds; `overhead` was subtracted from the
 * clock. */
struct section {
    int tid;
    unsigned passed, clock, overhead, user, kernel;
    unsigned inside;    /* part of clock and user time, in sections inside */
    unsigned of_inside; /* part of the overhead, by calls inside */
    bool is_exclusive;  /* only its exclusive values were wanted */
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
    record->scope = section->tid == -1 ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD;
    record->time = counted(section->passed, section->passed);
    *hpm_experiment_value(experiment, 0, CLOCK) =
        counted(section->clock, section->clock - section->inside);
    hpm_experiment_value(experiment, 0, CLOCK)->overhead =
        (uint64_t)section->overhead * MS;
    hpm_experiment_value(experiment, 0, CLOCK)->overhead_exclusive =
        (uint64_t)(section->overhead - section->of_inside) * MS;
    *hpm_experiment_value(experiment, 0, UTIME) =
        counted(section->user, section->user - section->inside);
    *hpm_experiment_value(experiment, 0, STIME) =
        counted(section->kernel, section->kernel);
    *hpm_experiment_value(experiment, 0, SECOND) =
        *hpm_experiment_value(experiment, 0, CLOCK);
    for (size_t i = 0; i < N_EVENTS; i++)
        hpm_experiment_value(experiment, 0, i)->lacks_total =
            section->is_exclusive;
    return experiment;
}

/* A clock's value after it was judged, for the first `n_events`; missing_ns are
 * missing in the whole run. */
static struct hpm_value
judge_of(struct section section, size_t n_events, size_t clock,
         uint64_t missing_ns)
{
    struct hpm_experiment *experiment = make(&section);
    const struct hpm_eventset set = {.events = events, .n_events = n_events};
    struct hpm_value value;

    if (!hpm_shortclock_judge(experiment, 0, &set, missing_ns))
        return (struct hpm_value){.state = HPM_STATE_UNDEFINED};
    value = *hpm_experiment_value(experiment, 0, clock);
    if (value.state == HPM_STATE_LOST)
        is_text(experiment->counters[clock].reason, hpm_usage_short_clock,
                "what is lost has its reason");
    hpm_experiment_free(experiment);
    return value;
}

static struct hpm_value
judge(struct section section, size_t n_events, unsigned missing)
{
    return judge_of(section, n_events, CLOCK, (uint64_t)missing * MS);
}

static bool
is_lost(struct section section, unsigned missing)
{
    return judge(section, N_EVENTS, missing).state == HPM_STATE_LOST;
}

static void
test_with_times(void)
{
    ok(is_lost((struct section){-1, 500, 27, 0, 10, 43, 0, 0, false}, 100),
       "a clock that has half of user and system time is lost");
    ok(!is_lost((struct section){-1, 500, 48, 0, 10, 43, 0, 0, false}, 100),
       "not one that lacks a tenth of it");
    ok(!is_lost((struct section){-1, 500, 1, 0, 2, 8, 0, 0, false}, 100),
       "nor one that lacks 9 ms");
    ok(!is_lost((struct section){-1, 500, 27, 25, 10, 43, 0, 0, false}, 100),
       "what was taken off as overhead is not missing");
    ok(!is_lost((struct section){-1, 500, 27, 0, 10, 43, 0, 0, false}, 0),
       "nor what a child did before the section waited for it");
    ok(!is_lost((struct section){-1, 500, 270, 0, 300, 90, 0, 0, false}, 20),
       "of which more is not missing than of the run");
    ok(is_lost((struct section){-1, 2000, 1020, 0, 1010, 50, 1000, 0, false},
               100),
       "what is outside the sections inside is judged, too");
    ok(is_lost((struct section){3, 500, 27, 0, 10, 43, 0, 0, false}, 100),
       "a thread's likewise, where its user and system time are counted");
    ok(is_lost((struct section){3, 5000, 2500, 0, 2000, 3000, 0, 0, false},
               2500),
       "so is a section of waits in a thread that misses little else");
    ok(is_lost((struct section){3, 5000, 1400, 500, 1800, 0, 1000, 500, false},
               1000),
       "what was taken off for calls inside is none of the exclusive value's");
}

static void
test_exclusive(void)
{
    struct section section = {-1, 500, 27, 0, 10, 43, 0, 0, true};
    struct hpm_value value = judge(section, N_EVENTS, 100);

    ok(value.state == HPM_STATE_LOST && value.lacks_total,
       "an exclusive value alone is judged, too");
    value = judge(section, 1, 26);
    is_near(value.uncertainty, 26.0 * MS, 1e-9, "without times likewise");
}

/* All that is missing was in sections inside. */
static void
test_total(void)
{
    const struct section section = {-1, 500, 27, 0, 10, 43, 0, 0, false};
    const struct hpm_eventset set = {.events = events, .n_events = N_EVENTS};
    struct hpm_experiment *experiment = make(&section);

    hpm_experiment_value(experiment, 0, CLOCK)->exclusive =
        hpm_experiment_value(experiment, 0, UTIME)->exclusive =
            (uint64_t)10 * MS;
    hpm_experiment_value(experiment, 0, STIME)->exclusive = 0;
    ok(hpm_shortclock_judge(experiment, 0, &set, (uint64_t)100 * MS) &&
           hpm_experiment_value(experiment, 0, CLOCK)->state == HPM_STATE_LOST,
       "a clock is lost whose total is short, whatever its exclusive value");
    hpm_experiment_free(experiment);
}

static void
test_second_clock(void)
{
    struct section section = {-1, 500, 27, 0, 10, 43, 0, 0, false};
    struct hpm_event bytes = {.source = &hpm_source_usage,
                              .encoding = events[SECOND].encoding};
    struct hpm_value value =
        judge_of(section, N_EVENTS, SECOND, (uint64_t)100 * MS);

    ok(value.state == HPM_STATE_LOST,
       "each clock is judged, not the first only");
    ok(!hpm_source_is_clock(&bytes), "bytes written are no clock");
}

/* In a journal, it is not known how much the run missed. */
static void
test_unknown(void)
{
    struct section section = {-1, 500, 27, 0, 10, 43, 0, 0, false};
    struct hpm_value value =
        judge_of(section, 1, CLOCK, HPM_SHORTCLOCK_UNKNOWN);

    ok(value.state == HPM_STATE_COUNTED && value.uncertainty == 0,
       "where nobody has compared, nothing is said without times");
    value = judge_of(section, N_EVENTS, CLOCK, HPM_SHORTCLOCK_UNKNOWN);
    ok(value.state == HPM_STATE_LOST, "with them they say it");
}

static void
test_without_times(void)
{
    struct hpm_value value =
        judge((struct section){0, 500, 27, 0, 0, 0, 0, 0, false}, 1, 26);

    ok(value.state == HPM_STATE_COUNTED && value.uncertainty == 26.0 * MS,
       "without them the clock may be off by what the thread misses");
    value = judge((struct section){0, 100, 98, 0, 0, 0, 0, 0, false}, 1, 26);
    is_near(value.uncertainty, 2.0 * MS, 1e-9,
            "but by no more than the time that passed has room for");
    value = judge((struct section){-1, 100, 98, 0, 0, 0, 0, 0, false}, 1, 26);
    is_near(value.uncertainty, 26.0 * MS, 1e-9,
            "which is no bound where several threads run");
    value = judge((struct section){0, 500, 27, 0, 0, 0, 0, 0, false}, 1, 0);
    is_near(value.uncertainty, 0.0, 1e-9, "nothing missing, nothing said");
    value = judge((struct section){-1, 500, 27, 0, 0, 0, 0, 0, false}, 1, 10);
    is_near(value.uncertainty, 0.0, 1e-9, "nor where it may be by chance");
    value = judge((struct section){-2, 100, 98, 0, 0, 0, 0, 0, false}, 1, 26);
    is_near(value.uncertainty, 2.0 * MS, 1e-9,
            "threads that share a record have its time as a bound");
}

static void
test_has_times(void)
{
    struct section section = {-1, 500, 27, 0, 10, 43, 0, 0, false};
    struct hpm_experiment *experiment = make(&section);
    const struct hpm_eventset set = {.events = events, .n_events = N_EVENTS};

    ok(hpm_shortclock_has_times(experiment, 0, &set),
       "user and system time stand in for a clock");
    hpm_experiment_value(experiment, 0, STIME)->state = HPM_STATE_LOST;
    ok(!hpm_shortclock_has_times(experiment, 0, &set), "but not one alone");
    hpm_experiment_free(experiment);
}

/* The missing time of a thread that used `used` ms and whose two clocks, one of
 * which may not be counted, saw less. */
static uint64_t
missing(unsigned used, unsigned seen, unsigned second, enum hpm_state state)
{
    struct hpm_metered metered[N_EVENTS] = {[SECOND] = {.state = state}};
    const struct hpm_eventset set = {.events = events, .n_events = N_EVENTS};
    const struct hpm_meter meter = {
        .set = &set, .n_events = N_EVENTS, .events = metered};
    const uint64_t first[1 + N_EVENTS] = {0};
    const uint64_t last[1 + N_EVENTS] = {[1 + CLOCK] = (uint64_t)seen * MS,
                                         [1 + SECOND] = (uint64_t)second * MS};
    struct hpm_shortclock clock = {.is_there = true, .time = CLOCK_REALTIME};
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    clock.begin = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec -
                  (uint64_t)used * MS;
    return hpm_shortclock_missing(&clock, &meter, first, last);
}

static void
test_thread(void)
{
    struct hpm_meter meter = {.n_events = 0};
    struct hpm_shortclock clock = {.is_there = false};

    is_count(hpm_shortclock_missing(&clock, &meter, NULL, NULL), 0,
             "of a run that never began nothing is missing");
    ok(missing(100000, 97500, 97500, HPM_STATE_COUNTED) >= (uint64_t)2500 * MS,
       "what a thread misses is told, a tenth or not");
    ok(missing(5, 0, 0, HPM_STATE_COUNTED) >= (uint64_t)5 * MS,
       "be it little: of many threads it is much");
    is_count(missing(0, 3000000, 3000000, HPM_STATE_COUNTED), 0,
             "a clock that saw all of it misses nothing");
    ok(missing(1000, 3000000, 0, HPM_STATE_COUNTED) >= (uint64_t)1000 * MS,
       "of two clocks that which misses more");
    is_count(missing(1000, 3000000, 0, HPM_STATE_LOST), 0,
             "one that is not counted misses nothing");
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
    test_exclusive();
    test_total();
    test_second_clock();
    test_unknown();
    test_without_times();
    test_has_times();
    test_thread();
    for (int i = UTIME; i <= STIME; i++) {
        hpm_memory_free(events[i].description);
        hpm_memory_free(events[i].unit);
    }
    return done();
}
