/* SPDX-License-Identifier: BSD-3-Clause
 * Source "openmp": how long and how often threads are in each state. */
#include "openmp/ompsource.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/mark.h"
#include "brought/items.h"
#include "brought/tickscale.h"
#include "host/memory.h"
#include "openmp/ompknown.h"
#include "openmp/ompruntime.h"
#include "openmp/ompthread.h"
#include "source/meter.h"

/* What an event counts: hpm_encoding.type. */
enum quantity { ELAPSED = HPM_ITEMS_ELAPSED, TIME, CALLS, DELAY, LAST, COME };

static const char *const endings[] = {[TIME] = "_time",
                                      [CALLS] = "_calls",
                                      [DELAY] = "_delay",
                                      [LAST] = "_last",
                                      [COME] = "_arrivals"};

/* Only of the barrier at the end of regions is known who comes last. */
static const char *const of_last[] = {
    [DELAY] = N_("what the other threads of its teams waited for this one at "
                 "the end of parallel regions"),
    [LAST] = N_("parallel regions to whose end this thread came last"),
    [COME] = N_("parallel regions of two threads or more to whose end this "
                "thread came")};

#define DESCRIBE(name, word, has_calls, description)                           \
    [HPM_OMPSTATE_##name] = {word, has_calls, description},
static const struct {
    const char *word;
    bool has_calls;
    const char *description;
} states[] = {HPM_OMPSTATES(DESCRIBE)};

static const char elapsed[] = "openmp::thread_time";

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

static bool
has_event(size_t state, enum quantity quantity)
{
    switch (quantity) {
    case CALLS:
        return states[state].has_calls;
    case DELAY:
    case LAST:
    case COME:
        return state == HPM_OMPSTATE_REGION_BARRIER;
    default:
        return true;
    }
}

/* ---- events ------------------------------------------------------------- */

static enum hpm_finding
fill_event(struct hpm_event *ret_event, enum quantity quantity, size_t state,
           struct hpm_error *err)
{
    bool is_number =
        quantity != ELAPSED && quantity != TIME && quantity != DELAY;
    const char *description = quantity == ELAPSED
                                  ? N_("time that passed, of each thread")
                              : quantity >= DELAY ? of_last[quantity]
                                                  : states[state].description;

    return hpm_items_fill_event(ret_event, &hpm_ompsource, (int)quantity, state,
                                description, is_number ? "" : "ns", loan, err);
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
        for (enum quantity quantity = TIME; quantity <= COME; quantity++) {
            if (hpm_items_are_named(name + 8, states[i].word,
                                    endings[quantity]) &&
                has_event(i, quantity))
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
        for (enum quantity quantity = TIME; quantity <= COME; quantity++) {
            if (!has_event(i, quantity))
                continue;
            snprintf(name, sizeof name, "openmp::%s%s", states[i].word,
                     endings[quantity]);
            visit(name, context);
        }
    }
}

/* ---- counting ------------------------------------------------------------ */

struct counting {
    struct hpm_items items;
    struct hpm_ompthread *own; /* NULL: all threads count */
    uint64_t opened;           /* when; what was before is not counted */
    struct hpm_ompsums before[HPM_N_OMPSUMS];
};

/* Why the event has no value here; NULL if the event has one. */
static const char *
lacking(const struct hpm_meter *meter, const struct hpm_event *event,
        const struct counting *counting, struct hpm_error *err)
{
    if (event->encoding.type != ELAPSED && !hpm_ompknown_has_begun() &&
        !hpm_ompruntime_tells(err))
        return err->text;
    return hpm_items_lack(meter, event, counting != NULL);
}

static void
add_sums(const struct counting *counting, uint64_t now,
         struct hpm_ompsums sums[HPM_N_OMPSUMS])
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
    counting->items.meter = meter;
    counting->items.loan = loan;
    if (meter->target == HPM_TARGET_THREAD) {
        counting->own = hpm_ompthread_take();
        if (counting->own == NULL) {
            hpm_memory_free(counting);
            return NULL;
        }
        hpm_part_hold(&counting->own->part);
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
            hpm_items_add(&counting->items, event, i);
        if (event->encoding.type >= DELAY)
            atomic_store(&hpm_ompteam_tells_last, true);
    }
    return counting;
}

/* Why nobody knows the value of the item; NULL if it is known. */
static const char *
loss(const struct counting *counting, size_t item)
{
    if (counting->items.items[item].quantity == ELAPSED)
        return NULL;
    if (hpm_ompthread_loss() != NULL)
        return hpm_ompthread_loss();
    if (hpm_ompknown_lacks(counting->items.items[item].which))
        return N_("the program's OpenMP runtime does not tell of it");
    return NULL;
}

static uint64_t
value_of(const struct counting *counting, size_t item, uint64_t now,
         const struct hpm_ompsums sums[HPM_N_OMPSUMS])
{
    size_t state = counting->items.items[item].which;
    int quantity = counting->items.items[item].quantity;
    size_t sum = quantity == COME    ? HPM_OMPSUM_COME
                 : quantity >= DELAY ? HPM_OMPSUM_LAST
                                     : state;
    const struct hpm_ompsums *before = &counting->before[sum];

    switch (quantity) {
    case ELAPSED:
        return hpm_tickscale_ns(now - counting->opened);
    case TIME:
    case DELAY:
        return hpm_tickscale_ns(
            hpm_items_beyond(before->ticks, sums[sum].ticks));
    default:
        return hpm_items_beyond(before->calls, sums[sum].calls);
    }
}

static void
read_counting(void *context, uint64_t *slots)
{
    struct counting *counting = context;
    struct hpm_ompsums sums[HPM_N_OMPSUMS] = {{0}};
    uint64_t now = hpm_ompthread_now();

    add_sums(counting, now, sums);
    for (size_t i = 0; i < counting->items.n; i++) {
        const char *reason = loss(counting, i);

        if (reason != NULL)
            hpm_items_lose(&counting->items, i, reason);
        hpm_items_put(&counting->items, i, value_of(counting, i, now, sums),
                      slots);
    }
}

static void
close_counting(void *context)
{
    struct counting *counting = context;

    if (counting->own != NULL)
        hpm_part_release(&counting->own->part);
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
