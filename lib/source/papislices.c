/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of one PAPI component that take turns in slices of processor time. */
#include "source/papislices.h"

#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "host/forklock.h"
#include "host/memory.h"
#include "source/slices.h"
#include "source/source.h"

static uint64_t
kernel_clock(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        return 0; /* the thread has ended */
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t (*hpm_papislices_clock)(clockid_t clock) = kernel_clock;

bool
hpm_papislices_run_by_kernel(void)
{
    return hpm_papislices_clock == kernel_clock;
}

static bool
is_of(const struct hpm_event *event, int component)
{
    return event->source == &hpm_source_papi &&
           event->encoding.type == (uint32_t)component;
}

/* ---- which events fit together ---------------------------------------- */

/* Sets that are filled to try what fits, and never started. */
struct trial {
    struct hpm_eventset *events;
    const struct hpm_papiset_request *request;
    unsigned long most; /* largest number of events in a set */
    struct hpm_papiset sets[HPM_MAX_SLICE_SETS];
    size_t n_sets;
};

static int
put(struct trial *trial, size_t set, struct hpm_event *event)
{
    int result = PAPI_ECNFLCT;

    if (trial->sets[set].n < trial->most)
        result = hpm_papiset_add(&trial->sets[set], event->name);
    if (result == PAPI_OK)
        event->encoding.config |= UINT64_C(1) << set;
    return result;
}

/* Put the event into the first set that accepts it, or a new one. */
static void
place(struct trial *trial, struct hpm_event *event)
{
    struct hpm_error err;
    int result;

    for (size_t set = 0; set < trial->n_sets; set++) {
        if (put(trial, set, event) == PAPI_OK)
            return;
    }
    if (trial->n_sets == HPM_MAX_SLICE_SETS) {
        hpm_event_refuse(event, "more than 64 sets would have to take turns");
        return;
    }
    if (!hpm_papiset_open(&trial->sets[trial->n_sets], trial->request, &err)) {
        hpm_event_refuse(event, err.text);
        return;
    }
    result = put(trial, trial->n_sets++, event);
    if (result == PAPI_OK)
        return;
    hpm_papiset_explain(result, &err);
    hpm_event_refuse(event, err.text);
    hpm_papiset_close(&trial->sets[--trial->n_sets]);
}

/* Fill the set with more events, those that are in the fewest sets first, so
 * that each event counts as long as possible. */
static void
fill(struct trial *trial, size_t set)
{
    for (int n = 1; n < (int)trial->n_sets; n++) {
        for (size_t i = 0; i < trial->events->n_events; i++) {
            struct hpm_event *event = &trial->events->events[i];
            uint64_t sets = event->encoding.config;

            if (is_of(event, trial->request->component) &&
                (sets >> set & 1) == 0 && __builtin_popcountll(sets) == n)
                put(trial, set, event);
        }
    }
}

void
hpm_papislices_arrange(struct hpm_eventset *events,
                       const struct hpm_papiset_request *request)
{
    struct trial *trial = hpm_memory_new(1, sizeof *trial);

    if (trial == NULL)
        return; /* then the events are counted as if all fit into one set */
    trial->events = events;
    trial->request = request;
    trial->most = hpm_env_number(HPM_VARIABLE_SHARE_EVENTS, 1, HPM_MAX_EVENTS);
    for (size_t i = 0; i < events->n_events; i++) {
        if (is_of(&events->events[i], request->component))
            place(trial, &events->events[i]);
    }
    for (size_t set = trial->n_sets; set-- > 0 && trial->n_sets > 1;)
        fill(trial, set);
    for (size_t i = 0; i < events->n_events && trial->n_sets == 1; i++) {
        if (is_of(&events->events[i], request->component))
            events->events[i].encoding.config = 0;
    }
    while (trial->n_sets > 0)
        hpm_papiset_close(&trial->sets[--trial->n_sets]);
    hpm_memory_free(trial);
}

bool
hpm_papislices_are_needed(const struct hpm_eventset *events, int component)
{
    for (size_t i = 0; i < events->n_events; i++) {
        if (is_of(&events->events[i], component) &&
            events->events[i].encoding.config != 0)
            return true;
    }
    return false;
}

/* ---- counting -------------------------------------------------------- */

struct hpm_papislices {
    struct hpm_papislices *next;
    const struct hpm_eventset *events;
    struct hpm_papiset_request request;
    unsigned n_users;
    pid_t pid; /* a forked child must not use it */
    clockid_t clock;
    uint64_t seen;            /* the time at the slicer's last look */
    struct hpm_forklock lock; /* protects the members below except `places` */
    bool is_broken;           /* PAPI is not called any more; `why` says why */
    struct hpm_error why;
    size_t places[HPM_MAX_ALL_EVENTS]; /* per event of ours: its index in
                                        * `events` */
    struct hpm_slices slices;
    size_t n_sets; /* number of open sets */
    struct hpm_papiset sets[HPM_MAX_SLICE_SETS];
};

static struct hpm_papislices *first;

struct hpm_papislices *
hpm_papislices_first(void)
{
    return first;
}

struct hpm_papislices *
hpm_papislices_next(const struct hpm_papislices *slices)
{
    return slices->next;
}

/* The clock of a thread's processor time, or the process's; numbered as the
 * kernel does (CPUCLOCK_PERTHREAD and CPUCLOCK_SCHED). */
static clockid_t
clock_of(const struct hpm_papiset_request *request)
{
    if (!request->is_attached || request->inherits)
        return CLOCK_PROCESS_CPUTIME_ID;
    return (clockid_t)(~(unsigned)request->tid << 3 | 4 | 2);
}

static uint64_t
now(const struct hpm_papislices *slices)
{
    return hpm_papislices_clock(slices->clock);
}

static struct hpm_papiset *
current_set(struct hpm_papislices *slices)
{
    return &slices->sets[slices->slices.current];
}

static bool
choose_events(struct hpm_papislices *slices, size_t n_events)
{
    uint64_t sets[HPM_MAX_ALL_EVENTS];
    size_t n = 0;

    for (size_t i = 0; i < n_events; i++) {
        const struct hpm_event *event = &slices->events->events[i];

        if (!is_of(event, slices->request.component))
            continue;
        sets[n] = event->encoding.config;
        slices->places[n++] = i;
    }
    return hpm_slices_init(&slices->slices, sets, n, HPM_SLICE_LENGTH,
                           now(slices));
}

static bool
add_events(struct hpm_papislices *slices, size_t number, struct hpm_error *err)
{
    struct hpm_papiset *set = &slices->sets[number];

    slices->slices.current = number;
    for (size_t i = 0; i < slices->slices.n_events; i++) {
        int result = PAPI_OK;

        if (hpm_slices_has(&slices->slices, i))
            result = hpm_papiset_add(
                set, slices->events->events[slices->places[i]].name);
        if (result != PAPI_OK) {
            hpm_papiset_explain(result, err);
            return false;
        }
    }
    return true;
}

/* The current set has started: begin its slice. */
static bool
begin(struct hpm_papislices *slices, struct hpm_error *err)
{
    long long values[HPM_MAX_ALL_EVENTS];
    int result = hpm_papiset_read(current_set(slices), values);

    if (result == PAPI_OK)
        hpm_slices_begin(&slices->slices, now(slices), values);
    else
        hpm_papiset_explain(result, err);
    return result == PAPI_OK;
}

/* Start each set once, to find its descriptors, and stop it; the first set goes
 * on. */
static bool
open_sets(struct hpm_papislices *slices, struct hpm_error *err)
{
    long long values[HPM_MAX_ALL_EVENTS];

    for (size_t set = slices->slices.n_sets; set-- > 0;) {
        struct hpm_papiset *opened = &slices->sets[set];

        if (!hpm_papiset_open(opened, &slices->request, err))
            return false;
        slices->n_sets++;
        if (!add_events(slices, set, err) || !hpm_papiset_start(opened, err))
            return false;
        if (set > 0 && !hpm_papiset_rest(opened, values, err))
            return false;
    }
    return begin(slices, err);
}

static void
close_sets(struct hpm_papislices *slices)
{
    for (size_t i = 0; i < slices->n_sets; i++) {
        struct hpm_papiset *set = &slices->sets[slices->slices.n_sets - 1 - i];

        if (slices->pid == getpid())
            hpm_papiset_close(set);
        else
            hpm_papiset_abandon(set);
    }
    slices->n_sets = 0;
}

static struct hpm_papislices *
find_open(const struct hpm_eventset *events,
          const struct hpm_papiset_request *request)
{
    for (struct hpm_papislices *each = first; each != NULL; each = each->next) {
        if (each->pid == getpid() && each->events == events &&
            each->request.component == request->component &&
            !each->request.is_attached && !request->is_attached)
            return each;
    }
    return NULL;
}

/* A forked child drops the list it inherits: the sets are its parent's. */
static void
forget_inherited(void)
{
    while (first != NULL && first->pid != getpid())
        first = first->next;
}

static bool
start(struct hpm_papislices *slices, size_t n_events, struct hpm_error *err)
{
    if (!choose_events(slices, n_events))
        return hpm_error_no_memory(err);
    if (!open_sets(slices, err)) {
        close_sets(slices);
        return false;
    }
    slices->next = first;
    first = slices;
    return true;
}

struct hpm_papislices *
hpm_papislices_open(const struct hpm_eventset *events, size_t n_events,
                    const struct hpm_papiset_request *request,
                    struct hpm_error *err)
{
    struct hpm_papislices *slices;

    forget_inherited();
    slices = find_open(events, request);
    if (slices != NULL) {
        slices->n_users++;
        return slices;
    }
    slices = hpm_memory_new(1, sizeof *slices);
    if (slices == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    slices->events = events;
    slices->request = *request;
    slices->pid = getpid();
    slices->clock = clock_of(request);
    slices->n_users = 1;
    if (start(slices, n_events, err))
        return slices;
    hpm_slices_clear(&slices->slices);
    hpm_memory_free(slices);
    return NULL;
}

void
hpm_papislices_close(struct hpm_papislices *slices)
{
    struct hpm_papislices **link = &first;

    if (--slices->n_users > 0)
        return;
    while (*link != NULL && *link != slices)
        link = &(*link)->next;
    if (*link == slices)
        *link = slices->next;
    close_sets(slices);
    hpm_slices_clear(&slices->slices);
    hpm_memory_free(slices);
}

/* ---- turns ----------------------------------------------------------- */

/* Needs the lock. */
static bool
read_current(struct hpm_papislices *slices, long long *ret_values)
{
    int result;

    if (!hpm_papiset_is_there(current_set(slices)))
        return hpm_error_set(&slices->why,
                             "the counter was closed or taken away while it "
                             "was in use");
    result = hpm_papiset_read(current_set(slices), ret_values);
    if (result != PAPI_OK)
        hpm_papiset_explain(result, &slices->why);
    return result == PAPI_OK;
}

/* Needs the lock.  Reads the clock right after PAPI_read, as all other readings
 * do: PAPI_stop takes longer, and after it the time would be longer than the
 * counting. */
static bool
change_sets(struct hpm_papislices *slices)
{
    long long values[HPM_MAX_ALL_EVENTS], last[HPM_MAX_ALL_EVENTS];
    uint64_t time;

    if (!read_current(slices, values))
        return false;
    time = now(slices);
    if (!hpm_papiset_rest(current_set(slices), last, &slices->why))
        return false;
    hpm_slices_end(&slices->slices, time, values);
    return hpm_papiset_resume(current_set(slices), &slices->why) &&
           begin(slices, &slices->why);
}

bool
hpm_papislices_look(struct hpm_papislices *slices)
{
    uint64_t time = now(slices);
    /* the slicer's own looks use time of the process, too */
    bool is_moving = time > slices->seen + HPM_SLICE_LENGTH / 20;

    slices->seen = time;
    if (slices->pid != getpid() || !hpm_slices_is_over(&slices->slices, time))
        return is_moving;
    hpm_forklock_take(&slices->lock, slices->pid);
    slices->is_broken = slices->is_broken || !change_sets(slices);
    hpm_forklock_give(&slices->lock);
    return is_moving;
}

/* ---- reading --------------------------------------------------------- */

void
hpm_papislices_add_slots(const struct hpm_papislices *slices,
                         struct hpm_meter *meter)
{
    meter->takes_turns = true;
    for (size_t i = 0; i < slices->slices.n_events; i++) {
        struct hpm_metered *metered = &meter->events[slices->places[i]];

        if (metered->clock_slot == 0)
            metered->clock_slot = hpm_meter_add_slots(meter, 2);
    }
}

void
hpm_papislices_clear(const struct hpm_papislices *slices,
                     const struct hpm_meter *meter, uint64_t *slots)
{
    for (size_t i = 0; i < slices->slices.n_events; i++) {
        size_t place = slices->places[i];
        uint64_t *times = slots + meter->events[place].clock_slot;

        slots[1 + place] = times[0] = times[1] = 0;
    }
}

static __attribute__((cold, noinline)) void
lose(const struct hpm_papislices *slices, struct hpm_meter *meter)
{
    for (size_t i = 0; i < slices->slices.n_events; i++)
        hpm_meter_fail(meter, slices->places[i], HPM_STATE_LOST,
                       slices->why.text);
}

/* Needs the lock. */
static void
add_sums(struct hpm_papislices *slices, struct hpm_meter *meter,
         const long long *values, uint64_t *slots)
{
    hpm_slices_look(&slices->slices, now(slices));
    for (size_t i = 0; i < slices->slices.n_events; i++) {
        size_t place = slices->places[i];
        bool counts = hpm_slices_has(&slices->slices, i);
        const struct hpm_slices_sum sum =
            hpm_slices_sum(&slices->slices, i, counts ? *values : 0);
        uint64_t *times = slots + meter->events[place].clock_slot;

        values += counts;
        slots[1 + place] += sum.count;
        times[0] += sum.enabled;
        times[1] += sum.running;
        if (slices->slices.events[i].is_lost)
            hpm_meter_fail(meter, place, HPM_STATE_LOST,
                           "it went back, which a count does not: it is a "
                           "level, or the program set it back (PAPI_start "
                           "and PAPI_reset do)");
    }
}

void
hpm_papislices_read(struct hpm_papislices *slices, struct hpm_meter *meter,
                    uint64_t *slots)
{
    long long values[HPM_MAX_ALL_EVENTS];

    hpm_forklock_take(&slices->lock, slices->pid);
    slices->is_broken = slices->is_broken || !read_current(slices, values);
    if (slices->is_broken)
        lose(slices, meter);
    else
        add_sums(slices, meter, values, slots);
    hpm_forklock_give(&slices->lock);
}

/* Needs the lock. */
static bool
put_step(const struct hpm_papislices *slices, const struct hpm_meter *meter,
         const struct hpm_slices_row *row, uint64_t *slots)
{
    for (size_t i = 0; i < slices->slices.n_events; i++) {
        size_t place = slices->places[i];
        uint64_t *times = slots + meter->events[place].clock_slot;

        slots[1 + place] = row->events[i].count;
        times[0] = row->enabled;
        times[1] = row->events[i].running;
    }
    return true;
}

bool
hpm_papislices_step(struct hpm_papislices *slices,
                    const struct hpm_meter *meter, uint64_t *slots,
                    const uint64_t *from, const uint64_t *to)
{
    size_t clock = meter->events[slices->places[0]].clock_slot;
    const struct hpm_slices_row *row = NULL;
    bool is_found;

    if (slices->request.inherits)
        return false; /* the slots are sums over all tasks */
    hpm_forklock_take(&slices->lock, slices->pid);
    if (!slices->is_broken)
        row = hpm_slices_find(&slices->slices,
                              slots[clock] + 1 + (to[clock] - from[clock]) / 16,
                              to[clock]);
    is_found = row != NULL && put_step(slices, meter, row, slots);
    hpm_forklock_give(&slices->lock);
    return is_found;
}
