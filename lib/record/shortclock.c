/* SPDX-License-Identifier: BSD-3-Clause
 * A check for task-clocks that miss a part of the processor time. */
#include "record/shortclock.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "source/source.h"
#include "source/usage.h"

static bool
has_clock(const struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_events; i++) {
        if (hpm_source_is_clock(&set->events[i]))
            return true;
    }
    return false;
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
    *clock = (struct hpm_shortclock){.is_there = false};
    if (!has_clock(meter->set) ||
        pthread_getcpuclockid(pthread_self(), &clock->time) != 0)
        return;
    clock->is_there = true;
    clock->begin = now(clock->time);
}

/* If there are several clocks, the one that misses most counts. */
uint64_t
hpm_shortclock_missing(const struct hpm_shortclock *clock,
                       const struct hpm_meter *meter, const uint64_t *first,
                       const uint64_t *last)
{
    uint64_t end, used, missing = 0;

    if (!clock->is_there || (end = now(clock->time)) <= clock->begin)
        return 0;
    used = end - clock->begin;
    for (size_t i = 0; i < meter->n_events; i++) {
        uint64_t seen = last[1 + i] - first[1 + i];

        if (hpm_source_is_clock(&meter->set->events[i]) &&
            meter->events[i].state == HPM_STATE_COUNTED && used > seen &&
            used - seen > missing)
            missing = used - seen;
    }
    return missing;
}

/* ---- a record -------------------------------------------------------- */

/* User and system time of a record; false where it does not have both. */
static bool
add_times(const struct hpm_experiment *experiment, size_t record,
          const struct hpm_eventset *set, struct hpm_value *ret_sum)
{
    size_t n = 0;

    *ret_sum = (struct hpm_value){.total = 0};
    for (size_t i = 0; i < set->n_events; i++) {
        const struct hpm_value *value =
            hpm_experiment_value(experiment, record, i);

        if (!hpm_usage_is_time(&set->events[i]) || !value->is_present ||
            value->state != HPM_STATE_COUNTED)
            continue;
        ret_sum->total += value->total;
        ret_sum->exclusive += value->exclusive;
        n++;
    }
    return n == 2;
}

bool
hpm_shortclock_has_times(const struct hpm_experiment *experiment, size_t record,
                         const struct hpm_eventset *set)
{
    struct hpm_value sum;

    return add_times(experiment, record, set, &sum);
}

/* The kernel's two times contain starts and stops, which were subtracted from
 * the task-clock: add them again. */
static bool
is_short(uint64_t used, uint64_t seen, uint64_t overhead, uint64_t most)
{
    seen += overhead;
    if (used > seen && used - seen > most)
        seen = used - most;
    return hpm_usage_is_clock_short(used, seen);
}

/* How much larger the value may be within the time that passed. */
static uint64_t
room_of(const struct hpm_record *record, const struct hpm_value *value)
{
    uint64_t passed = record->time.total;

    if (record->scope == HPM_SCOPE_PROCESS) /* several threads may run at
                                             * once */
        return UINT64_MAX;
    return passed > value->total ? passed - value->total : 0;
}

static bool
lose(struct hpm_experiment *experiment, size_t event, struct hpm_value *value)
{
    *value = (struct hpm_value){.is_present = true,
                                .state = HPM_STATE_LOST,
                                .lacks_total = value->lacks_total,
                                .mean = NAN,
                                .deviation = NAN,
                                .share = NAN};
    return experiment->counters[event].reason != NULL ||
           hpm_experiment_set_text(&experiment->counters[event].reason,
                                   hpm_usage_short_clock);
}

static bool
is_value_short(const struct hpm_value *value, const struct hpm_value *used,
               uint64_t most_ns)
{
    return is_short(used->total, value->total, value->overhead, most_ns) ||
           is_short(used->exclusive, value->exclusive,
                    value->overhead_exclusive, most_ns);
}

static bool
judge(struct hpm_experiment *experiment, size_t record, size_t event,
      const struct hpm_value *used, uint64_t most_ns)
{
    struct hpm_value *value = hpm_experiment_value(experiment, record, event);
    uint64_t room;

    if (!value->is_present || value->state != HPM_STATE_COUNTED)
        return true;
    if (used != NULL)
        return !is_value_short(value, used, most_ns) ||
               lose(experiment, event, value);
    if (most_ns == HPM_SHORTCLOCK_UNKNOWN)
        return true;
    room = room_of(&experiment->records[record], value);
    value->uncertainty = (double)(room < most_ns ? room : most_ns);
    return true;
}

/* Each record is tested for a tenth: a thread that misses less may have a
 * section that misses more. */
bool
hpm_shortclock_judge(struct hpm_experiment *experiment, size_t record,
                     const struct hpm_eventset *set, uint64_t most_ns)
{
    struct hpm_value used;
    bool has_times = add_times(experiment, record, set, &used);
    bool is_good = true;

    if (most_ns <= HPM_USAGE_SHORT_NS)
        return true;
    for (size_t i = 0; i < set->n_events && is_good; i++) {
        if (hpm_source_is_clock(&set->events[i]))
            is_good =
                judge(experiment, record, i, has_times ? &used : NULL, most_ns);
    }
    return is_good;
}
