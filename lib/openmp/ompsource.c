/* SPDX-License-Identifier: BSD-3-Clause
 * Source "openmp": how long and how often threads are in each state. */
#include "openmp/ompsource.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/mark.h"
#include "brought/tickscale.h"
#include "host/memory.h"
#include "openmp/ompruntime.h"
#include "openmp/ompthread.h"
#include "openmp/omptool.h"
#include "source/meter.h"

/* What an event counts: hpm_encoding.type. */
enum quantity { ELAPSED, TIME, CALLS };

static const char *const endings[] = {[TIME] = "_time", [CALLS] = "_calls"};

#define DESCRIBE(name, word, has_calls, description)                           \
    [HPM_OMPSTATE_##name] = {word, has_calls, description},
static const struct {
    const char *word;
    bool has_calls;
    const char *description;
} states[] = {HPM_OMPSTATES(DESCRIBE)};

static const char elapsed[] = "openmp::elapsed";

static const struct hpm_loan *loan;
static pthread_once_t is_compared = PTHREAD_ONCE_INIT;

void
hpm_ompsource_begin(const struct hpm_loan *lent)
{
    loan = lent;
    hpm_tickscale_begin(lent);
    lent->ask_number(hpm_ompthread_number);
}

/* Once, when the first thread is measured. */
static void
compare(void)
{
    hpm_ompthread_start(*loan->has_tick, loan->kernel_ns);
    hpm_tickscale_settle();
}

/* ---- events ------------------------------------------------------------- */

static bool
has_texts(struct hpm_event *event, const char *description, const char *unit,
          struct hpm_error *err)
{
    event->description = loan->copy_text(description);
    event->unit = loan->copy_text(unit);
    if (event->description != NULL && event->unit != NULL)
        return true;
    loan->free(event->description);
    loan->free(event->unit);
    event->description = event->unit = NULL;
    return hpm_error_no_memory(err);
}

static enum hpm_finding
fill_event(struct hpm_event *ret_event, enum quantity quantity, size_t state,
           struct hpm_error *err)
{
    if (!has_texts(ret_event,
                   quantity == ELAPSED ? N_("time that passed, of each thread")
                                       : states[state].description,
                   quantity == CALLS ? "" : "ns", err))
        return HPM_FINDING_FAILED;
    ret_event->domain = HPM_DOMAIN_ALL;
    ret_event->encoding.type = quantity;
    ret_event->encoding.config = state;
    ret_event->source = &hpm_ompsource;
    return HPM_FINDING_FOUND;
}

static bool
is_named(const char *name, const char *word, const char *ending)
{
    size_t length = strlen(word);

    return strncmp(name, word, length) == 0 &&
           strcmp(name + length, ending) == 0;
}

static enum hpm_finding
find(const char *name, enum hpm_domain domain, struct hpm_event *ret_event,
     struct hpm_error *err)
{
    (void)domain;
    if (strncmp(name, "openmp::", 8) != 0)
        return HPM_FINDING_UNKNOWN;
    if (strcmp(name, elapsed) == 0)
        return fill_event(ret_event, ELAPSED, 0, err);
    for (size_t i = 0; i < HPM_N_OMPSTATES; i++) {
        for (enum quantity quantity = TIME; quantity <= CALLS; quantity++) {
            if (is_named(name + 8, states[i].word, endings[quantity]) &&
                (quantity == TIME || states[i].has_calls))
                return fill_event(ret_event, quantity, i, err);
        }
    }
    return HPM_FINDING_UNKNOWN;
}

static void
list(void (*visit)(const char *name, void *context), void *context)
{
    char name[64];

    visit(elapsed, context);
    for (size_t i = 0; i < HPM_N_OMPSTATES; i++) {
        for (enum quantity quantity = TIME; quantity <= CALLS; quantity++) {
            if (quantity == CALLS && !states[i].has_calls)
                continue;
            snprintf(name, sizeof name, "openmp::%s%s", states[i].word,
                     endings[quantity]);
            visit(name, context);
        }
    }
}

/* ---- counting ------------------------------------------------------------ */

struct counting {
    struct hpm_meter *meter;
    struct hpm_ompthread *own; /* NULL: all threads count */
    uint64_t opened;           /* when; what was before is not counted */
    struct hpm_ompsums before[HPM_N_OMPSTATES];
    size_t n;
    struct {
        _Atomic uint64_t most; /* the last value: no later one is below */
        uint16_t slot;
        uint8_t quantity;
        uint8_t state;
    } items[HPM_MAX_ALL_EVENTS];
};

/* Why the event has no value here; NULL if the event has one. */
static const char *
lacking(const struct hpm_meter *meter, const struct hpm_event *event,
        const struct counting *counting, struct hpm_error *err)
{
    if (event->encoding.type != ELAPSED && !hpm_omptool_is_started() &&
        !hpm_ompruntime_tells(err))
        return err->text;
    if (counting == NULL)
        return N_("out of memory, or of thread-specific keys of the program");
    if (event->encoding.type == ELAPSED && meter->target != HPM_TARGET_THREAD)
        return N_("the threads of a process pass their time side by side; "
                  "their own sections have it");
    return NULL;
}

static void
add_item(struct counting *counting, const struct hpm_event *event, size_t i)
{
    counting->items[counting->n].slot = (uint16_t)(1 + i);
    counting->items[counting->n].quantity = (uint8_t)event->encoding.type;
    counting->items[counting->n].state = (uint8_t)event->encoding.config;
    counting->n++;
}

static void
add_sums(const struct counting *counting, uint64_t now,
         struct hpm_ompsums sums[HPM_N_OMPSTATES])
{
    if (counting->own != NULL)
        hpm_ompthread_add(counting->own, now, sums);
    else
        hpm_ompthread_add_all(now, sums);
}

static struct counting *
begin(struct hpm_meter *meter)
{
    struct counting *counting = hpm_memory_new_apart(sizeof *counting);

    pthread_once(&is_compared, compare);
    if (counting == NULL)
        return NULL;
    counting->meter = meter;
    if (meter->target == HPM_TARGET_THREAD) {
        counting->own = hpm_ompthread_take();
        if (counting->own == NULL) {
            hpm_memory_free(counting);
            return NULL;
        }
        hpm_ompthread_hold(counting->own);
    }
    counting->opened = hpm_ompthread_now();
    add_sums(counting, counting->opened, counting->before);
    return counting;
}

static void *
open_counting(struct hpm_meter *meter)
{
    struct counting *counting = begin(meter);

    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_event *event = &meter->set->events[i];
        const char *reason;
        struct hpm_error err;

        if (event->source != &hpm_ompsource)
            continue;
        reason = lacking(meter, event, counting, &err);
        if (reason != NULL)
            loan->fail(meter, i, HPM_STATE_UNSUPPORTED, reason);
        else
            add_item(counting, event, i);
    }
    return counting;
}

/* A torn reading at the begin may have had a state that this one lacks. */
static uint64_t
beyond(uint64_t before, uint64_t now)
{
    return now > before ? now - before : 0;
}

/* Why nobody knows the value of the item; NULL if it is known. */
static const char *
loss(const struct counting *counting, size_t item)
{
    if (counting->items[item].quantity == ELAPSED)
        return NULL;
    if (hpm_ompthread_loss() != NULL)
        return hpm_ompthread_loss();
    if (hpm_omptool_lacks(counting->items[item].state))
        return N_("the program's OpenMP runtime does not tell of it");
    return NULL;
}

static uint64_t
value_of(const struct counting *counting, size_t item, uint64_t now,
         const struct hpm_ompsums sums[HPM_N_OMPSTATES])
{
    size_t state = counting->items[item].state;
    const struct hpm_ompsums *before = &counting->before[state];

    switch (counting->items[item].quantity) {
    case ELAPSED:
        return hpm_tickscale_ns(now - counting->opened);
    case TIME:
        return hpm_tickscale_ns(beyond(before->ticks, sums[state].ticks));
    default:
        return beyond(before->calls, sums[state].calls);
    }
}

/* A reading may lack what an earlier one had: of a thread that is stopped while its
 * state changes. */
static uint64_t
keep_most(struct counting *counting, size_t item, uint64_t value)
{
    _Atomic uint64_t *most = &counting->items[item].most;
    uint64_t last = atomic_load_explicit(most, memory_order_relaxed);

    while (value > last && !atomic_compare_exchange_weak(most, &last, value))
        continue;
    return value > last ? value : last;
}

static void
read_counting(void *context, uint64_t *slots)
{
    struct counting *counting = context;
    struct hpm_ompsums sums[HPM_N_OMPSTATES] = {{0}};
    uint64_t now = hpm_ompthread_now();

    add_sums(counting, now, sums);
    for (size_t i = 0; i < counting->n; i++) {
        const char *reason = loss(counting, i);

        if (reason != NULL)
            loan->fail(counting->meter, counting->items[i].slot - 1u,
                       HPM_STATE_LOST, reason);
        slots[counting->items[i].slot] =
            keep_most(counting, i, value_of(counting, i, now, sums));
    }
}

static void
close_counting(void *context)
{
    struct counting *counting = context;

    if (counting->own != NULL)
        hpm_ompthread_release(counting->own);
    hpm_memory_free(counting);
}

const struct hpm_source hpm_ompsource = {
    .name = "openmp",
    .opens_alone = true,
    .find = find,
    .list = list,
    .open = open_counting,
    .read = read_counting,
    .close = close_counting,
};
