/* SPDX-License-Identifier: BSD-3-Clause
 * A meter: the running counters of one thread, process or program. */
#include "source/meter.h"

#include <stdatomic.h>

#include "host/memory.h"

#define POINT_TO(name) &hpm_source_##name,
static const struct hpm_source *const sources[] = {HPM_SOURCES(POINT_TO) NULL};

enum { N_SOURCES = sizeof sources / sizeof sources[0] - 1 };

uint16_t
hpm_meter_add_slots(struct hpm_meter *meter, size_t n)
{
    size_t first = meter->n_slots;

    meter->n_slots += n;
    return (uint16_t)first;
}

void
hpm_meter_fail(struct hpm_meter *meter, size_t event, enum hpm_state state,
               const char *reason)
{
    struct hpm_metered *metered = &meter->events[event];

    if (!hpm_state_has_value(metered->state))
        return;
    metered->state = state;
    metered->reason = hpm_memory_copy_text(reason);
}

static bool
has_events_of(const struct hpm_meter *meter, const struct hpm_source *source)
{
    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source == source)
            return true;
    }
    return false;
}

static void
open_part(struct hpm_meter *meter, const struct hpm_source *source)
{
    void *counting = source->open(meter);

    if (counting != NULL) {
        meter->parts[meter->n_parts].source = source;
        meter->parts[meter->n_parts].counting = counting;
        meter->n_parts++;
    }
}

static bool
is_brought(const struct hpm_source *source)
{
    for (size_t i = 0; i < N_SOURCES; i++) {
        if (sources[i] == source)
            return false;
    }
    return source != NULL;
}

static void
read_parts(void *counting, uint64_t *slots)
{
    const struct hpm_meter *meter = counting;
    size_t n = atomic_load_explicit(&meter->n_parts, memory_order_relaxed);

    for (size_t i = 0; i < n; i++)
        meter->parts[i].source->read(meter->parts[i].counting, slots);
}

static void
read_sampled(void *counting, uint64_t *slots)
{
    const struct hpm_meter *meter = counting;

    if (!hpm_cursor_takes(meter->cursor, slots))
        hpm_meter_read_own(meter, slots);
}

/* The reading of a meter without parts. */
static void
only_samples(void *counting, uint64_t *slots)
{
    const struct hpm_meter *meter = counting;

    hpm_cursor_takes(meter->cursor, slots);
}

/* Most meters have one part, which can be read straight away. */
static void
choose_reading(struct hpm_meter *meter)
{
    const struct hpm_source *only =
        meter->n_parts == 1 ? meter->parts[0].source : NULL;

    meter->own = (struct hpm_reading){read_parts, meter};
    if (only != NULL)
        meter->own = (struct hpm_reading){only->read, meter->parts[0].counting};
    meter->read = meter->n_parts > 0 ? meter->own.read : NULL;
    meter->counting = meter->own.counting;
    if (meter->cursor == NULL)
        return;
    if (only != NULL && only->read_sampled != NULL) {
        meter->read = only->read_sampled;
        *(const struct hpm_cursor **)meter->counting = meter->cursor;
    } else {
        meter->read = meter->n_parts > 0 ? read_sampled : only_samples;
        meter->counting = meter;
    }
}

void
hpm_meter_set_cursor(struct hpm_meter *meter, const struct hpm_cursor *cursor)
{
    meter->cursor = cursor;
    choose_reading(meter);
}

/* Without any part. */
static struct hpm_meter *
make_meter(const struct hpm_eventset *set, enum hpm_target target, pid_t pid,
           struct hpm_error *err)
{
    size_t n_events =
        target == HPM_TARGET_THREAD ? set->n_thread_events : set->n_events;
    size_t scratch = HPM_MAX_SLOTS + 2 * (1 + n_events);
    struct hpm_meter *meter = hpm_memory_new_apart(
        sizeof *meter + (N_SOURCES + HPM_MAX_BROUGHT) * sizeof meter->parts[0] +
        n_events * sizeof *meter->events + scratch * sizeof *meter->scratch);

    if (meter == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    meter->events = (void *)(meter->parts + N_SOURCES + HPM_MAX_BROUGHT);
    meter->scratch = (void *)(meter->events + n_events);
    meter->set = set;
    meter->target = target;
    meter->pid = pid;
    meter->cpu = -1;
    meter->patience_ns = UINT64_MAX;
    meter->n_events = n_events;
    meter->n_slots = 1 + n_events;
    meter->tid = target == HPM_TARGET_THREAD ? HPM_METER_UNNUMBERED : -1;
    for (size_t i = 0; i < n_events; i++) {
        if (set->events[i].source == NULL)
            hpm_meter_fail(meter, i, set->events[i].state,
                           set->events[i].reason);
    }
    return meter;
}

void
hpm_meter_open_brought(struct hpm_meter *meter)
{
    const struct hpm_source *opened[HPM_MAX_BROUGHT] = {NULL};
    size_t n = 0;

    for (size_t i = 0; i < meter->n_events && n < HPM_MAX_BROUGHT; i++) {
        const struct hpm_source *source = meter->set->events[i].source;

        if (!is_brought(source) || (n > 0 && opened[0] == source))
            continue;
        open_part(meter, source);
        opened[n++] = source;
    }
    if (n > 0)
        choose_reading(meter);
}

struct hpm_meter *
hpm_meter_open(const struct hpm_eventset *set, enum hpm_target target,
               pid_t pid, struct hpm_error *err)
{
    struct hpm_meter *meter = make_meter(set, target, pid, err);

    if (meter == NULL)
        return NULL;
    for (size_t i = 0; sources[i] != NULL; i++) {
        if (sources[i]->brings_time || has_events_of(meter, sources[i]))
            open_part(meter, sources[i]);
    }
    choose_reading(meter);
    hpm_meter_open_brought(meter);
    return meter;
}

struct hpm_meter *
hpm_meter_open_running(const struct hpm_eventset *set, enum hpm_target target,
                       pid_t pid, int cpu, struct hpm_error *err)
{
    struct hpm_meter *meter = make_meter(set, target, pid, err);

    if (meter == NULL)
        return NULL;
    meter->cpu = cpu;
    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_source *source = set->events[i].source;

        if (source != NULL && source != &hpm_source_kernel &&
            !is_brought(source))
            hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED,
                           "only the kernel's events are counted in what runs "
                           "already; run it by hpmcount");
    }
    if (has_events_of(meter, &hpm_source_kernel))
        open_part(meter, &hpm_source_kernel);
    choose_reading(meter);
    return meter;
}

bool
hpm_meter_opens_alone(const struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_thread_events; i++) {
        const struct hpm_source *source = set->events[i].source;

        if (source != NULL && !source->opens_alone)
            return false;
    }
    return true;
}

size_t
hpm_meter_n_charged(const struct hpm_meter *meter)
{
    size_t n = 1 + meter->n_events;

    while (n > 1 && !hpm_meter_is_charged(meter, n - 1))
        n--;
    return n;
}

void
hpm_meter_stop(struct hpm_meter *meter)
{
    size_t n = atomic_load(&meter->n_parts);

    atomic_store_explicit(&meter->read, NULL, memory_order_relaxed);
    /* a child forked meanwhile must not do what is being done here */
    while (n > 0) {
        if (!atomic_compare_exchange_weak(&meter->n_parts, &n, n - 1))
            continue;
        n--;
        meter->parts[n].source->close(meter->parts[n].counting);
    }
}

void
hpm_meter_close(struct hpm_meter *meter)
{
    if (meter == NULL)
        return;
    hpm_meter_stop(meter);
    for (size_t i = 0; i < meter->n_events; i++)
        hpm_memory_free(meter->events[i].reason);
    hpm_memory_free(meter);
}

bool
hpm_meter_step(const struct hpm_meter *meter, uint64_t *slots,
               const uint64_t *from, const uint64_t *to)
{
    for (size_t i = 0; i < meter->n_parts; i++) {
        const struct hpm_source *source = meter->parts[i].source;

        if (source->step != NULL &&
            source->step(meter->parts[i].counting, slots, from, to))
            return true;
    }
    return false;
}

void
hpm_meter_pass_sample(const struct hpm_meter *meter)
{
    uint64_t row[HPM_MAX_SLOTS];

    hpm_meter_read(meter, row);
}

void
hpm_meter_estimate(const struct hpm_meter *meter, size_t event,
                   const uint64_t *difference, const struct hpm_blocks *blocks,
                   struct hpm_estimate *ret_estimate)
{
    const struct hpm_metered *metered = &meter->events[event];
    struct hpm_turns turns = {.count = difference[1 + event]};

    if (hpm_state_has_value(metered->state) && metered->clock_slot != 0) {
        turns.enabled = difference[metered->clock_slot];
        turns.running = difference[metered->clock_slot + 1];
    }
    hpm_estimate_make(&turns, blocks, ret_estimate);
    if (!hpm_state_has_value(metered->state))
        ret_estimate->state = metered->state;
}

struct hpm_count
hpm_meter_count(const struct hpm_meter *meter, size_t event,
                const uint64_t *difference)
{
    struct hpm_estimate estimate;

    hpm_meter_estimate(meter, event, difference, NULL, &estimate);
    return (struct hpm_count){
        estimate.state, estimate.value,
        estimate.state == HPM_STATE_SHARED ? estimate.share : 1.0};
}
