/* SPDX-License-Identifier: BSD-3-Clause
 * Source "mpi": time in calls of MPI, their number and bytes, by class. */
#include "mpi/timesource.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/mark.h"
#include "base/message.h"
#include "brought/items.h"
#include "brought/tickscale.h"
#include "host/memory.h"
#include "host/path.h"
#include "mpi/callbytes.h"
#include "mpi/calltime.h"
#include "mpi/lastcomer.h"
#include "mpi/othertools.h"
#include "source/meter.h"

/* What an event counts: hpm_encoding.type. */
enum quantity {
    ELAPSED = HPM_ITEMS_ELAPSED,
    TIME,
    CALLS,
    BYTES,
    WAITING,
    LAST,
    DELAY,
    LATE
};

static const char *const endings[] = {
    [TIME] = "_time",       [CALLS] = "_calls", [BYTES] = "_bytes",
    [WAITING] = "_waiting", [LAST] = "_last",   [DELAY] = "_delay",
    [LATE] = "_late"};
static const char *const units[] = {
    [ELAPSED] = "ns", [TIME] = "ns", [CALLS] = "",   [BYTES] = "byte",
    [WAITING] = "ns", [LAST] = "",   [DELAY] = "ns", [LATE] = ""};

#define DESCRIBE(name, word, has_bytes, waits, meets)                          \
    [HPM_CALLCLASS_##name] = {word, has_bytes, waits, meets},
static const struct {
    const char *word;
    bool has_bytes;
    bool waits;
    bool meets;
} classes[] = {HPM_CALLCLASSES(DESCRIBE)};

static const char *const descriptions[] = {
    [HPM_CALLCLASS_SEND] = N_("MPI calls that send messages"),
    [HPM_CALLCLASS_RECV] = N_("MPI calls that receive messages"),
    [HPM_CALLCLASS_WAIT] = N_("MPI calls that wait for requests, or test them"),
    [HPM_CALLCLASS_PROBE] = N_("MPI calls that look for messages"),
    [HPM_CALLCLASS_ONE_TO_ALL] = N_("MPI collectives from one task to all"),
    [HPM_CALLCLASS_ALL_TO_ONE] = N_("MPI collectives from all tasks to one"),
    [HPM_CALLCLASS_ALL_TO_ALL] = N_("MPI collectives from all tasks to all"),
    [HPM_CALLCLASS_BARRIER] = N_("MPI barriers"),
    [HPM_CALLCLASS_ONE_SIDED] = N_("one-sided MPI transfers"),
    [HPM_CALLCLASS_SYNC] = N_("one-sided MPI synchronisation"),
    [HPM_CALLCLASS_IO] = N_("MPI input and output"),
    [HPM_CALLCLASS_INIT] =
        N_("MPI calls that begin MPI, and make or free communicators"),
};

static const char *const last_descriptions[] = {
    [HPM_CALLCLASS_ALL_TO_ALL] = N_(
        "MPI collectives from all tasks to all to which this task came last"),
    [HPM_CALLCLASS_BARRIER] = N_("MPI barriers to which this task came last"),
};
static const char *const late_descriptions[] = {
    [HPM_CALLCLASS_SEND] = N_("messages whose receiver waited in MPI_Recv when "
                              "this task began to send"),
    [HPM_CALLCLASS_RECV] = N_("messages whose sender waited in MPI_Send when "
                              "this task came to receive"),
};
static const char *const delay_descriptions[] = {
    [HPM_CALLCLASS_ALL_TO_ALL] =
        N_("time the other tasks waited for this one in MPI collectives from "
           "all tasks to all"),
    [HPM_CALLCLASS_BARRIER] =
        N_("time the other tasks waited for this one in MPI barriers"),
};

static const char elapsed[] = "mpi::elapsed";

static const struct hpm_loan *loan;
static pthread_once_t is_started = PTHREAD_ONCE_INIT;

void
hpm_timesource_begin(const struct hpm_loan *lent)
{
    loan = lent;
    hpm_calltime_kernel_ns = lent->kernel_ns;
    hpm_calltime_listener = lent->listener;
    hpm_tickscale_begin(lent);
}

/* Once, when the first thread is measured.  Whoever sees that times are taken may ask
 * how long a tick is. */
static void
start(void)
{
    hpm_tickscale_settle();
    hpm_calltime_start(*loan->has_tick, loan->kernel_ns);
}

/* ---- events ------------------------------------------------------------- */

/* Where HPM_EVENTS names the event libhpm says the reason with it, of a set's metrics
 * only that they cannot be measured. */
static void
say_once(const struct hpm_error *why, atomic_flag *is_said)
{
    if (hpm_env_get(HPM_VARIABLE_EVENTS) == NULL &&
        !atomic_flag_test_and_set(is_said))
        hpm_message_say(why->text);
}

/* Another tool may take some of the calls only: then the class of these has no
 * values. */
static bool
is_taken_first(size_t class, struct hpm_error *err)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;

    for (const struct hpm_callname *call = __start_hpm_callnames;
         call < __stop_hpm_callnames; call++) {
        const char *taker =
            call->class == class ? hpm_othertools_before(call->name) : NULL;

        if (taker == NULL)
            continue;
        hpm_error_set(err,
                      "%.100s takes %s before libhpm_mpi sees the call; put "
                      "libhpm_mpi before it where the program is linked, or "
                      "first into LD_PRELOAD",
                      hpm_path_base_name(taker), call->name);
        say_once(err, &is_said);
        return true;
    }
    return false;
}

/* In MPI_Init the tasks agree to tell waiting from moving. */
static bool
is_agreed(struct hpm_error *err)
{
    static const char *const calls[] = {"MPI_Init", "MPI_Init_thread"};
    static atomic_flag is_said = ATOMIC_FLAG_INIT;

    if (!hpm_env_is_on(HPM_VARIABLE_WAITING, false))
        return hpm_error_set(err, "it is measured with HPM_WAITING=yes, which "
                                  "costs messages");
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const char *taker = hpm_othertools_before(calls[i]);

        if (taker == NULL)
            continue;
        hpm_error_set(
            err,
            "%.100s takes %s, in which the tasks agree to measure waiting, "
            "before libhpm_mpi; put libhpm_mpi before it where the program "
            "is linked, or first into LD_PRELOAD",
            hpm_path_base_name(taker), calls[i]);
        say_once(err, &is_said);
        return false;
    }
    return true;
}

static const char *
describe(enum quantity quantity, size_t class)
{
    switch (quantity) {
    case ELAPSED:
        return N_("time that passed, of each thread");
    case LAST:
        return last_descriptions[class];
    case DELAY:
        return delay_descriptions[class];
    case LATE:
        return late_descriptions[class];
    default:
        return descriptions[class];
    }
}

static enum hpm_finding
fill_event(struct hpm_event *ret_event, enum quantity quantity, size_t class,
           struct hpm_error *err)
{
    if (quantity != ELAPSED && is_taken_first(class, err))
        return HPM_FINDING_FAILED;
    if (quantity >= WAITING && !is_agreed(err))
        return HPM_FINDING_FAILED;
    return hpm_items_fill_event(ret_event, &hpm_timesource, (int)quantity,
                                class, describe(quantity, class),
                                units[quantity], loan, err);
}

static bool
has(size_t class, enum quantity quantity)
{
    if (quantity == BYTES)
        return classes[class].has_bytes;
    if (quantity == WAITING)
        return classes[class].waits;
    if (quantity == LATE)
        return class == HPM_CALLCLASS_SEND || class == HPM_CALLCLASS_RECV;
    return quantity < LAST || classes[class].meets;
}

static enum hpm_finding
find(const char *name, enum hpm_domain domain, struct hpm_event *ret_event,
     struct hpm_error *err)
{
    (void)domain;
    if (strncmp(name, "mpi::", 5) != 0)
        return HPM_FINDING_UNKNOWN;
    if (strcmp(name, elapsed) == 0)
        return fill_event(ret_event, ELAPSED, 0, err);
    for (size_t i = 0; i < HPM_N_CALLCLASSES; i++) {
        for (enum quantity quantity = TIME; quantity <= LATE; quantity++) {
            if (hpm_items_are_named(name + 5, classes[i].word,
                                    endings[quantity]) &&
                has(i, quantity))
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
    for (size_t i = 0; i < HPM_N_CALLCLASSES; i++) {
        for (enum quantity quantity = TIME; quantity <= LATE; quantity++) {
            if (!has(i, quantity))
                continue;
            snprintf(name, sizeof name, "mpi::%s%s", classes[i].word,
                     endings[quantity]);
            visit(name, context);
        }
    }
}

/* ---- counting ------------------------------------------------------------ */

struct counting {
    struct hpm_items items;
    struct hpm_calltime *own; /* of a thread; NULL: all threads count */
    uint64_t opened;          /* when; what was before is not counted */
    struct hpm_callsums before[HPM_N_CALLCLASSES];
};

static void
add_sums(const struct counting *counting, uint64_t now,
         struct hpm_callsums sums[HPM_N_CALLCLASSES])
{
    if (counting->own != NULL)
        hpm_calltime_add(counting->own, now, sums);
    else
        hpm_calltime_add_all(now, sums);
}

static struct counting *
begin(struct hpm_meter *meter)
{
    struct counting *counting = hpm_memory_new_apart(sizeof *counting);

    pthread_once(&is_started, start);
    if (counting == NULL)
        return NULL;
    counting->items.meter = meter;
    counting->items.loan = loan;
    if (meter->target == HPM_TARGET_THREAD) {
        counting->own = hpm_calltime_take();
        if (counting->own == NULL) {
            hpm_memory_free(counting);
            return NULL;
        }
        hpm_part_hold(&counting->own->part);
    }
    counting->opened = hpm_calltime_now();
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

        if (event->source != &hpm_timesource)
            continue;
        reason = hpm_items_lack(meter, event, counting != NULL);
        if (reason != NULL)
            loan->fail(meter, i, HPM_STATE_UNSUPPORTED, reason);
        else
            hpm_items_add(&counting->items, event, i);
    }
    return counting;
}

/* The value of the item; any where the event is lost. */
static uint64_t
value_of(const struct counting *counting, size_t item, uint64_t now,
         const struct hpm_callsums sums[HPM_N_CALLCLASSES])
{
    enum hpm_callclass class = counting->items.items[item].which;
    const struct hpm_callsums *before = &counting->before[class];

    switch (counting->items.items[item].quantity) {
    case ELAPSED:
        return hpm_tickscale_ns(now - counting->opened);
    case TIME:
        return hpm_tickscale_ns(
            hpm_items_beyond(before->ticks, sums[class].ticks));
    case CALLS:
        return hpm_items_beyond(before->calls, sums[class].calls);
    case WAITING:
        return hpm_tickscale_ns(
            hpm_items_beyond(before->waiting, sums[class].waiting));
    case LATE:
        return hpm_items_beyond(before->last, sums[class].last);
    case LAST:
    case DELAY:
        if (hpm_lastcomer_is_lost(class))
            hpm_items_lose(
                &counting->items, item,
                N_("in a call of MPI it is not known which task came last: "
                   "one took no time of the call, or it was between two "
                   "groups of tasks"));
        return counting->items.items[item].quantity == LAST
                   ? hpm_items_beyond(before->last, sums[class].last)
                   : hpm_items_beyond(before->delay_ns, sums[class].delay_ns);
    default:
        if (hpm_callbytes_are_lost(class))
            hpm_items_lose(
                &counting->items, item,
                N_("a call of MPI did not tell how much it moves, as "
                   "the start of a persistent request"));
        return hpm_items_beyond(before->bytes, sums[class].bytes);
    }
}

static void
read_counting(void *context, uint64_t *slots)
{
    struct counting *counting = context;
    struct hpm_callsums sums[HPM_N_CALLCLASSES] = {{0}};
    uint64_t now = hpm_calltime_now();

    add_sums(counting, now, sums);
    for (size_t i = 0; i < counting->items.n; i++) {
        if (counting->own == NULL && hpm_calltime_are_lost())
            hpm_items_lose(
                &counting->items, i,
                N_("a thread's calls of MPI were not counted: out of memory, "
                   "or of thread-specific keys of the program"));
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

const struct hpm_source hpm_timesource = {
    .name = "mpi",
    .opens_alone = true,
    .find = find,
    .list = list,
    .open = open_counting,
    .read = read_counting,
    .close = close_counting,
};
