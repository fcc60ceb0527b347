/* SPDX-License-Identifier: BSD-3-Clause
 * Source "papi": all events that PAPI can name.  Presets, native events,
 * software-defined events of libraries (sde:::LIB::NAME) and all other
 * components of PAPI. */
#include "config.h"

#include "source/source.h"

#if HAVE_PAPI

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"
#include "host/stack.h"
#include "source/hardware.h"
#include "source/meter.h"
#include "source/kinds.h"
#include "source/papilib.h"
#include "source/papinames.h"
#include "source/papiset.h"
#include "source/papishared.h"
#include "source/papislices.h"
#include "source/slicer.h"
#include "source/tasks.h"

/* Measured with PAPI 7.0: its calls that make a set take 11 KB of stack,
 * reading a set takes 7. */
enum { STACK_FOR_SETS = 32 << 10 };

static bool
is_ours(const struct hpm_event *event)
{
    return event->source == &hpm_source_papi;
}

static bool
is_of(const struct hpm_event *event, int component)
{
    return is_ours(event) && event->encoding.type == (uint32_t)component;
}

/* ---- find and list --------------------------------------------------- */

/* The request for a set like the thread's own, to try which events PAPI
 * accepts. */
static struct hpm_papiset_request
trial_request(const struct hpm_event *event)
{
    return (struct hpm_papiset_request){.component = (int)event->encoding.type,
                                        .is_attached =
                                            !event->belongs_to_process,
                                        .tid = (pid_t)syscall(SYS_gettid),
                                        .domain = event->domain_asked};
}

/* PAPI may know a name and still refuse the event, for example for lack of
 * permission. */
static bool
try_alone(const char *name, const struct hpm_event *event,
          struct hpm_error *err)
{
    const struct hpm_papiset_request request = trial_request(event);
    struct hpm_papiset set;
    int result;

    if (!hpm_papiset_open(&set, &request, err))
        return false;
    result = hpm_papiset_add(&set, name);
    if (result != PAPI_OK)
        hpm_papiset_explain(result, err);
    hpm_papiset_close(&set);
    return result == PAPI_OK;
}

static __attribute__((cold)) enum hpm_finding
papi_find(const char *name, enum hpm_domain domain, struct hpm_event *ret_event,
          struct hpm_error *err)
{
    struct hpm_event event = {.domain = domain, .source = &hpm_source_papi};
    enum hpm_finding finding;
    int saved_errno = errno;

    if (strncmp(name, "PAPI_", 5) == 0 && hpm_kinds_count() > 0) {
        hpm_error_set(err,
                      "this processor has cores of several kinds, and PAPI "
                      "does not say which it counts; name an event of one "
                      "kind");
        return HPM_FINDING_FAILED;
    }
    hpm_papilib_lock();
    finding = hpm_papinames_find(name, &event, err);
    if (finding == HPM_FINDING_FOUND && !try_alone(name, &event, err)) {
        hpm_event_clear(&event);
        finding = HPM_FINDING_FAILED;
    }
    hpm_papilib_unlock();
    errno = saved_errno;
    if (finding == HPM_FINDING_FOUND) {
        event.name = ret_event->name;
        *ret_event = event;
    }
    return finding;
}

static __attribute__((cold)) void
papi_list(void (*visit)(const char *name, void *context), void *context)
{
    int saved_errno = errno;

    hpm_papinames_list(visit, context);
    errno = saved_errno;
}

/* PAPI itself would have to attach to the program and stop it at its first
 * instruction until all counters are open.  The kernel's counters can begin
 * with the program's exec: so count the kernel's event instead. */
static __attribute__((cold)) bool
papi_translate(const struct hpm_event *event, char *ret_name, size_t size,
               struct hpm_error *err)
{
    int saved_errno = errno;
    bool is_good;

    hpm_papilib_lock();
    is_good = hpm_papinames_resolve(event->name, ret_name, size, err);
    hpm_papilib_unlock();
    errno = saved_errno;
    return is_good;
}

/* ---- which events fit together -------------------------------------- */

static void
explain_conflict(const struct hpm_eventset *set, size_t event,
                 struct hpm_error *err)
{
    struct hpm_string names = {0};
    size_t n = 0;

    for (size_t i = 0; i < event; i++) {
        if (!is_of(&set->events[i], (int)set->events[event].encoding.type))
            continue;
        hpm_string_add_format(&names, "%s'%s'", n > 0 ? ", " : "",
                              set->events[i].name);
        n++;
    }
    hpm_error_set(err,
                  "conflicts with %s: PAPI counts %s, but not this one, "
                  "too; count it in a run of its own",
                  hpm_string_text(&names), n == 1 ? "that" : "those together");
    hpm_string_free(&names);
}

/* Refused events lose their source; the others fit together. */
static void
try_events(struct hpm_eventset *events, struct hpm_papiset *set,
           const struct hpm_papiset_request *request)
{
    for (size_t i = 0; i < events->n_events; i++) {
        struct hpm_event *event = &events->events[i];
        struct hpm_error err;
        int result;

        if (!is_of(event, request->component))
            continue;
        result = hpm_papiset_add(set, event->name);
        if (result == PAPI_OK)
            continue;
        if (set->n > 0) /* find has tried the event alone */
            explain_conflict(events, i, &err);
        else
            hpm_papiset_explain(result, &err);
        hpm_event_refuse(event, err.text);
    }
}

static void
settle_component(struct hpm_eventset *events, size_t first)
{
    const struct hpm_papiset_request request =
        trial_request(&events->events[first]);
    struct hpm_papiset set;
    struct hpm_error err;

    if (hpm_papiset_open(&set, &request, &err)) {
        try_events(events, &set, &request);
        hpm_papiset_close(&set);
        return;
    }
    for (size_t i = first; i < events->n_events; i++) {
        if (is_of(&events->events[i], request.component))
            hpm_event_refuse(&events->events[i], err.text);
    }
}

/* Is it the first event of its component? */
static bool
is_first(const struct hpm_eventset *events, size_t event)
{
    for (size_t i = 0; i < event; i++) {
        if (is_of(&events->events[i], (int)events->events[event].encoding.type))
            return false;
    }
    return true;
}

/* Only when a set is made does PAPI say which events it can count at once. */
static __attribute__((cold)) void
papi_settle(struct hpm_eventset *events)
{
    int saved_errno = errno;

    hpm_papilib_lock();
    for (size_t i = 0; i < events->n_events; i++) {
        const struct hpm_papiset_request request =
            trial_request(&events->events[i]);

        if (!is_ours(&events->events[i]) || !is_first(events, i))
            continue;
        if (events->takes_turns)
            hpm_papislices_arrange(events, &request);
        else
            settle_component(events, i);
    }
    hpm_papilib_unlock();
    errno = saved_errno;
}

/* ---- counting -------------------------------------------------------- */

/* A set that only this meter uses, for one thread. */
struct own_set {
    struct hpm_papiset set;
    uint16_t slots[HPM_MAX_ALL_EVENTS];
    bool is_lost;
};

enum { MAX_COMPONENTS = 16 }; /* their events are of the process */

struct papi_counting {
    const struct hpm_cursor *cursor; /* first: source.h */
    struct hpm_meter *meter;
    pid_t pid; /* a forked child must not touch its parent's sets */
    struct own_set *sets;
    size_t n_sets;
    size_t capacity;
    struct hpm_papislices **sliced; /* groups of sets that take turns */
    size_t n_sliced;
    size_t sliced_capacity;
    struct hpm_papishared *shared[MAX_COMPONENTS];
    bool is_told[MAX_COMPONENTS]; /* its failure was reported */
    size_t n_shared;
    bool has_only_shared; /* one, which never waits: reading is no point of
                             cancellation */
};

static void
fail_all(struct hpm_meter *meter, const char *reason)
{
    for (size_t i = 0; i < meter->n_events; i++) {
        if (is_ours(&meter->set->events[i]))
            hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED, reason);
    }
}

static void
fail_component(struct hpm_meter *meter, int component, const char *reason)
{
    for (size_t i = 0; i < meter->n_events; i++) {
        if (is_of(&meter->set->events[i], component))
            hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED, reason);
    }
}

/* PAPI may now refuse an event that it accepted at init, because of what the
 * program does meanwhile: then only this event has no value. */
static void
add_events(struct papi_counting *counting, struct own_set *own, int component)
{
    struct hpm_meter *meter = counting->meter;

    for (size_t i = 0; i < meter->n_events; i++) {
        struct hpm_error err;
        int result;

        if (!is_of(&meter->set->events[i], component))
            continue;
        result = hpm_papiset_add(&own->set, meter->set->events[i].name);
        if (result == PAPI_OK) {
            own->slots[own->set.n - 1] = (uint16_t)(1 + i);
            continue;
        }
        hpm_papiset_explain(result, &err);
        hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED, err.text);
    }
}

static bool
has_ended(pid_t tid)
{
    return syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH;
}

static bool
add_sliced(struct papi_counting *counting, struct hpm_papislices *slices)
{
    if (!hpm_memory_grow(&counting->sliced, &counting->sliced_capacity,
                         counting->n_sliced + 1, sizeof *counting->sliced)) {
        hpm_papislices_close(slices);
        return false;
    }
    counting->sliced[counting->n_sliced++] = slices;
    hpm_papislices_add_slots(slices, counting->meter);
    return true;
}

static void
open_sliced(struct papi_counting *counting,
            const struct hpm_papiset_request *request)
{
    struct hpm_meter *meter = counting->meter;
    size_t n_events =
        request->is_attached ? meter->n_events : meter->set->n_thread_events;
    struct hpm_error err;
    struct hpm_papislices *slices =
        hpm_papislices_open(meter->set, n_events, request, &err);

    if (slices != NULL && !hpm_slicer_start(&err)) {
        hpm_papislices_close(slices);
        slices = NULL;
    }
    if (slices == NULL) {
        if (!request->is_attached || !has_ended(request->tid))
            fail_component(meter, request->component, err.text);
        return;
    }
    if (!add_sliced(counting, slices))
        fail_component(meter, request->component, "out of memory");
}

static void
open_own(struct papi_counting *counting, size_t event, pid_t tid)
{
    struct hpm_meter *meter = counting->meter;
    const struct hpm_papiset_request request = {
        .component = (int)meter->set->events[event].encoding.type,
        .is_attached = true,
        .tid = tid,
        .inherits = meter->target == HPM_TARGET_PROCESS,
        .domain = meter->set->events[event].domain_asked};
    struct own_set *own;
    struct hpm_error err;

    if (hpm_papislices_are_needed(meter->set, request.component)) {
        open_sliced(counting, &request);
        return;
    }
    if (!hpm_memory_grow(&counting->sets, &counting->capacity,
                         counting->n_sets + 1, sizeof *counting->sets)) {
        fail_component(meter, request.component, "out of memory");
        return;
    }
    own = &counting->sets[counting->n_sets];
    *own = (struct own_set){0};
    if (!hpm_papiset_open(&own->set, &request, &err)) {
        if (!has_ended(tid))
            fail_component(meter, request.component, err.text);
        return;
    }
    add_events(counting, own, request.component);
    if (own->set.n > 0 && hpm_papiset_start(&own->set, &err)) {
        counting->n_sets++;
        return;
    }
    if (own->set.n > 0 && !has_ended(tid))
        fail_component(meter, request.component, err.text);
    hpm_papiset_close(&own->set);
}

/* Open one set for each component that counts single threads. */
static void
open_for_tasks(const pid_t *ids, size_t n, void *context)
{
    struct papi_counting *counting = context;
    const struct hpm_eventset *events = counting->meter->set;

    for (size_t i = 0; i < counting->meter->n_events; i++) {
        if (!is_ours(&events->events[i]) ||
            events->events[i].belongs_to_process || !is_first(events, i))
            continue;
        for (size_t j = 0; j < n; j++)
            open_own(counting, i, ids[j]);
    }
}

static void
close_own_sets(struct papi_counting *counting)
{
    for (size_t i = 0; i < counting->n_sets; i++)
        hpm_papiset_close(&counting->sets[i].set);
    counting->n_sets = 0;
    for (size_t i = 0; i < counting->n_sliced; i++)
        hpm_papislices_close(counting->sliced[i]);
    counting->n_sliced = 0;
}

static void
undo_attempt(void *context)
{
    struct papi_counting *counting = context;
    struct hpm_meter *meter = counting->meter;

    close_own_sets(counting);
    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_event *event = &meter->set->events[i];

        if (!is_ours(event) || event->belongs_to_process)
            continue;
        hpm_memory_free(meter->events[i].reason);
        meter->events[i].reason = NULL;
        meter->events[i].state = HPM_STATE_COUNTED;
    }
}

static void
open_in_process(struct papi_counting *counting)
{
    const struct hpm_tasks_work work = {open_for_tasks, undo_attempt, counting};
    enum hpm_tasks_end end = hpm_tasks_open(&work);

    switch (end) {
    case HPM_TASKS_COMPLETE:
        break;
    case HPM_TASKS_RESTLESS:
    case HPM_TASKS_UNKNOWN:
        counting->meter->tasks = end;
        break;
    case HPM_TASKS_NO_MEMORY:
        fail_all(counting->meter, "out of memory");
        break;
    }
}

static void
open_shared(struct papi_counting *counting)
{
    struct hpm_meter *meter = counting->meter;

    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_event *event = &meter->set->events[i];
        struct hpm_papishared *shared = NULL;
        struct hpm_error err;

        if (!is_ours(event) || !event->belongs_to_process ||
            !is_first(meter->set, i) ||
            hpm_papislices_are_needed(meter->set, (int)event->encoding.type))
            continue;
        if (counting->n_shared == MAX_COMPONENTS)
            hpm_error_set(&err, "more than %d components of PAPI",
                          MAX_COMPONENTS);
        else
            shared = hpm_papishared_open(meter->set, (int)event->encoding.type,
                                         &err);
        if (shared != NULL)
            counting->shared[counting->n_shared++] = shared;
        else
            fail_component(meter, (int)event->encoding.type, err.text);
    }
}

/* Called after the sets for single threads, which may be closed again
 * meanwhile. */
static void
open_shared_sliced(struct papi_counting *counting)
{
    const struct hpm_eventset *events = counting->meter->set;

    for (size_t i = 0; i < counting->meter->n_events; i++) {
        const struct hpm_papiset_request request = {
            .component = (int)events->events[i].encoding.type};

        if (is_ours(&events->events[i]) &&
            events->events[i].belongs_to_process && is_first(events, i) &&
            hpm_papislices_are_needed(events, request.component))
            open_sliced(counting, &request);
    }
}

static void
open_sets(struct papi_counting *counting)
{
    pid_t tid = (pid_t)syscall(SYS_gettid);
    struct hpm_error err;

    if (hpm_papilib_get(&err) == NULL) {
        fail_all(counting->meter, err.text);
        return;
    }
    open_shared(counting);
    if (counting->meter->target == HPM_TARGET_PROCESS)
        open_in_process(counting);
    else
        open_for_tasks(&tid, 1, counting);
    open_shared_sliced(counting);
}

static bool
may_wait(const struct papi_counting *counting)
{
    bool waits = counting->n_sets + counting->n_sliced > 0;

    for (size_t i = 0; i < counting->n_shared; i++)
        waits |= hpm_papishared_may_wait(counting->shared[i]);
    return waits;
}

/* Can PAPI be used here at all? */
static bool
is_possible(const struct hpm_meter *meter, struct hpm_error *err)
{
    if (meter->target == HPM_TARGET_PROGRAM)
        return hpm_error_set(err, "PAPI counts only programs that link libhpm");
    if (hpm_stack_free() < STACK_FOR_SETS)
        return hpm_error_set(err,
                             "the thread has less than %d KB of stack "
                             "left, which PAPI needs",
                             STACK_FOR_SETS >> 10);
    return true;
}

static __attribute__((cold)) void *
papi_open(struct hpm_meter *meter)
{
    struct papi_counting *counting;
    struct hpm_error err;
    int saved_errno = errno;

    if (!is_possible(meter, &err)) {
        fail_all(meter, err.text);
        errno = saved_errno;
        return NULL;
    }
    counting = hpm_memory_new(1, sizeof *counting);
    if (counting == NULL) {
        fail_all(meter, "out of memory");
        errno = saved_errno;
        return NULL;
    }
    counting->meter = meter;
    counting->pid = getpid();
    hpm_papilib_lock();
    open_sets(counting);
    counting->has_only_shared = !may_wait(counting) && counting->n_shared == 1;
    hpm_papilib_unlock();
    errno = saved_errno;
    return counting;
}

/* ---- reading --------------------------------------------------------- */

static __attribute__((cold)) void
lose(struct papi_counting *counting, struct own_set *own, const char *reason)
{
    own->is_lost = true;
    for (size_t i = 0; i < own->set.n; i++)
        hpm_meter_fail(counting->meter, own->slots[i] - 1u, HPM_STATE_LOST,
                       reason);
}

/* Add the set's counts to the slots.  If the descriptor is gone, do not read:
 * PAPI would read from the file that the program has opened with that number,
 * and for ever if that is a pipe. */
static void
read_own(struct papi_counting *counting, struct own_set *own, uint64_t *slots)
{
    long long values[HPM_MAX_ALL_EVENTS];
    struct hpm_error err;
    int result;

    if (!hpm_papiset_is_there(&own->set)) {
        lose(counting, own,
             "the counter was closed or taken away while it "
             "was in use");
        return;
    }
    result = hpm_papiset_read(&own->set, values);
    if (result != PAPI_OK) {
        hpm_papiset_explain(result, &err);
        lose(counting, own, err.text);
        return;
    }
    for (size_t i = 0; i < own->set.n; i++)
        slots[own->slots[i]] += (uint64_t)values[i];
}

static __attribute__((cold)) void
tell_trouble(struct papi_counting *counting,
             const struct hpm_papishared *shared)
{
    enum hpm_papishared_trouble trouble;
    size_t event;

    for (size_t i = 0;
         (event = hpm_papishared_event(shared, i, &trouble)) != SIZE_MAX; i++) {
        struct hpm_error err;

        if (trouble == HPM_PAPISHARED_FINE ||
            event >= counting->meter->n_events)
            continue;
        hpm_papishared_explain(shared, trouble, &err);
        hpm_meter_fail(counting->meter, event,
                       trouble == HPM_PAPISHARED_IS_REAL ? HPM_STATE_UNSUPPORTED
                                                         : HPM_STATE_LOST,
                       err.text);
    }
}

/* PAPI_read calls read(2), a cancellation point; a start or stop of a section
 * must not be one. */
static __attribute__((noinline)) void
read_all(struct papi_counting *counting, uint64_t *slots)
{
    int state, saved_errno = errno;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    for (size_t i = 0; i < counting->n_shared; i++) {
        if (!hpm_papishared_read(counting->shared[i], slots))
            tell_trouble(counting, counting->shared[i]);
    }
    for (size_t i = 0; i < counting->n_sets; i++) {
        for (size_t j = 0; j < counting->sets[i].set.n; j++)
            slots[counting->sets[i].slots[j]] = 0;
    }
    for (size_t i = 0; i < counting->n_sets; i++) {
        if (!counting->sets[i].is_lost)
            read_own(counting, &counting->sets[i], slots);
    }
    for (size_t i = 0; i < counting->n_sliced; i++)
        hpm_papislices_clear(counting->sliced[i], counting->meter, slots);
    for (size_t i = 0; i < counting->n_sliced; i++)
        hpm_papislices_read(counting->sliced[i], counting->meter, slots);
    pthread_setcancelstate(state, &state);
    errno = saved_errno;
}

/* The fast path, for a meter with software-defined events only:
 * pthread_setcancelstate alone would take as long as reading one event. */
static __attribute__((noinline)) void
read_only_shared(struct papi_counting *counting, uint64_t *slots)
{
    int *error_number = &errno, saved_errno = *error_number;

    if (!hpm_papishared_read(counting->shared[0], slots))
        tell_trouble(counting, counting->shared[0]);
    *error_number = saved_errno;
}

static void
papi_read(void *context, uint64_t *slots)
{
    struct papi_counting *counting = context;

    if (counting->has_only_shared)
        read_only_shared(counting, slots);
    else
        read_all(counting, slots);
}

static void
papi_read_sampled(void *context, uint64_t *slots)
{
    struct papi_counting *counting = context;

    if (hpm_cursor_takes(counting->cursor, slots))
        return;
    if (counting->has_only_shared)
        read_only_shared(counting, slots);
    else
        read_all(counting, slots);
}

static __attribute__((cold)) bool
papi_step(void *context, uint64_t *slots, const uint64_t *from,
          const uint64_t *to)
{
    struct papi_counting *counting = context;

    for (size_t i = 0; i < counting->n_sliced; i++) {
        if (hpm_papislices_step(counting->sliced[i], counting->meter, slots,
                                from, to))
            return true;
    }
    return false;
}

static void
abandon(struct papi_counting *counting)
{
    for (size_t i = 0; i < counting->n_sets; i++)
        hpm_papiset_abandon(&counting->sets[i].set);
    for (size_t i = 0; i < counting->n_sliced; i++)
        hpm_papislices_close(counting->sliced[i]);
}

/* Does not call PAPI_unregister_thread, which would also remove the program's
 * own sets of this thread, and the set that all threads read if this one
 * started it.  A thread that has ended leaves 0.7 KB in PAPI, and no
 * descriptor. */
static __attribute__((cold)) void
papi_close(void *context)
{
    struct papi_counting *counting = context;
    int saved_errno = errno;

    if (counting->pid != getpid()) {
        abandon(counting);
    } else {
        hpm_papilib_lock();
        close_own_sets(counting);
        for (size_t i = 0; i < counting->n_shared; i++)
            hpm_papishared_close(counting->shared[i]);
        hpm_papilib_unlock();
    }
    hpm_memory_free(counting->sets);
    hpm_memory_free(counting->sliced);
    hpm_memory_free(counting);
    errno = saved_errno;
}

const struct hpm_source hpm_source_papi = {
    .name = "papi",
    .find = papi_find,
    .list = papi_list,
    .settle = papi_settle,
    .translate = papi_translate,
    .open = papi_open,
    .read = papi_read,
    .read_sampled = papi_read_sampled,
    .step = papi_step,
    .close = papi_close,
};

#else

static enum hpm_finding
papi_find(const char *name, enum hpm_domain domain, struct hpm_event *ret_event,
          struct hpm_error *err)
{
    (void)name;
    (void)domain;
    (void)ret_event;
    (void)err;
    return HPM_FINDING_UNKNOWN;
}

static void
papi_list(void (*visit)(const char *name, void *context), void *context)
{
    (void)visit;
    (void)context;
}

/* In a build without PAPI there is nothing to open. */
const struct hpm_source hpm_source_papi = {
    .name = "papi", .find = papi_find, .list = papi_list};

#endif
