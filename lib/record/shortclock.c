/* SPDX-License-Identifier: BSD-3-Clause
 * A task-clock that misses a part of the processor time. */
#include "record/shortclock.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "source/source.h"
#include "source/usage.h"

static size_t
find_clock(const struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_events; i++) {
        const struct hpm_event *event = &set->events[i];

        if (event->source == &hpm_source_kernel && hpm_event_is_clock(event))
            return i;
    }
    return HPM_NO_COUNTER;
}

static uint64_t
now(clockid_t clock)
{
    struct timespec time;

    if (clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ---- a thread -------------------------------------------------------- */

void
hpm_shortclock_begin(struct hpm_shortclock *clock,
                     const struct hpm_meter *meter)
{
    size_t event = find_clock(meter->set);

    *clock = (struct hpm_shortclock){.slot = 1 + event};
    if (event == HPM_NO_COUNTER ||
        pthread_getcpuclockid(pthread_self(), &clock->time) != 0)
        return;
    clock->is_there = true;
    clock->begin = now(clock->time);
}

uint64_t
hpm_shortclock_missing(const struct hpm_shortclock *clock,
                       const uint64_t *first, const uint64_t *last)
{
    uint64_t end, used, seen;

    if (!clock->is_there || (end = now(clock->time)) <= clock->begin)
        return 0;
    used = end - clock->begin;
    seen = last[clock->slot] - first[clock->slot];
    return hpm_usage_is_clock_short(used, seen) ? used - seen : 0;
}

/* ---- a record -------------------------------------------------------- */

/* User and system time of a record; false where it does not have both. */
static bool
add_times(struct hpm_experiment *experiment, size_t record,
          const struct hpm_eventset *set, struct hpm_value *ret_sum)
{
    size_t n = 0;

    *ret_sum = (struct hpm_value){.total = 0};
    for (size_t i = 0; i < set->n_events; i++) {
        const struct hpm_value *value =
            hpm_experiment_value(experiment, record, i);

        if (!hpm_usage_is_time(&set->events[i]) || !value->is_present ||
            value->state != HPM_STATE_COUNTED || value->lacks_total)
            continue;
        ret_sum->total += value->total;
        ret_sum->exclusive += value->exclusive;
        n++;
    }
    return n == 2;
}

/* Of what the kernel charged, starts and stops are in its two times, and are taken
 * off a task-clock. */
static bool
is_short(uint64_t used, uint64_t seen, uint64_t overhead, uint64_t most)
{
    seen += overhead;
    if (used > seen && used - seen > most)
        seen = used - most;
    return hpm_usage_is_clock_short(used, seen);
}

/* In the time that passed there is room for so much more. */
static uint64_t
room_of(const struct hpm_record *record, const struct hpm_value *value)
{
    uint64_t passed = record->time.total;

    if (record->tid < 0) /* several threads at once */
        return UINT64_MAX;
    return passed > value->total ? passed - value->total : 0;
}

static bool
lose(struct hpm_experiment *experiment, size_t event, struct hpm_value *value)
{
    *value = (struct hpm_value){.is_present = true,
                                .state = HPM_STATE_LOST,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN};
    return experiment->counters[event].reason != NULL ||
           hpm_experiment_set_text(&experiment->counters[event].reason,
                                   hpm_usage_short_clock);
}

bool
hpm_shortclock_judge(struct hpm_experiment *experiment, size_t record,
                     const struct hpm_eventset *set, uint64_t most_ns)
{
    size_t event = find_clock(set);
    struct hpm_value *value, used;
    uint64_t room;

    if (most_ns == 0 || event == HPM_NO_COUNTER)
        return true;
    value = hpm_experiment_value(experiment, record, event);
    if (!value->is_present || value->state != HPM_STATE_COUNTED ||
        value->lacks_total)
        return true;
    if (add_times(experiment, record, set, &used))
        return (!is_short(used.total, value->total, value->overhead, most_ns) &&
                !is_short(used.exclusive, value->exclusive, value->overhead,
                          most_ns)) ||
               lose(experiment, event, value);
    room = room_of(&experiment->records[record], value);
    value->uncertainty = (double)(room < most_ns ? room : most_ns);
    return true;
}
