/* SPDX-License-Identifier: BSD-3-Clause
 * Events that belong to the process: of PAPI components that know no threads.
 */
#include "source/papishared.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "source/forklock.h"
#include "source/papiset.h"
#include "source/source.h"

/* PAPI gives a floating-point number by its bits: of any beyond 1e-154 either
 * way these are, as an integer, beyond what is ever counted. */
static const long long most_counted = 1LL << 61;

struct hpm_papishared {
    struct hpm_papishared *next;
    const struct hpm_eventset *events;
    pid_t pid; /* a forked child has sets of its own */
    int component;
    unsigned n_users;
    struct hpm_papiset set;
    struct hpm_forklock lock; /* of all below: PAPI reads into the set itself */
    int error;            /* of PAPI_read */
    atomic_bool is_troubled;
    size_t n;
    struct {
        uint16_t event;
        atomic_int trouble;
        long long last;
    } items[HPM_MAX_ALL_EVENTS];
};

static struct hpm_papishared *running;

static bool
belongs(const struct hpm_event *event, int component)
{
    return event->source == &hpm_source_papi &&
           event->encoding.type == (uint32_t)component;
}

static bool
add_events(struct hpm_papishared *shared, struct hpm_error *err)
{
    for (size_t i = 0; i < shared->events->n_events; i++) {
        const struct hpm_event *event = &shared->events->events[i];
        int result;

        if (!belongs(event, shared->component))
            continue;
        result = hpm_papiset_add(&shared->set, event->name);
        if (result != PAPI_OK) {
            hpm_papiset_explain(result, err);
            return false;
        }
        shared->items[shared->n].last = INT64_MIN;
        shared->items[shared->n++].event = (uint16_t)i;
    }
    return true;
}

static bool
start(struct hpm_papishared *shared, struct hpm_error *err)
{
    const struct hpm_papiset_wish wish = {.component = shared->component};

    if (!hpm_papiset_open(&shared->set, &wish, err))
        return false;
    if (add_events(shared, err) && hpm_papiset_start(&shared->set, err))
        return true;
    hpm_papiset_close(&shared->set);
    return false;
}

static struct hpm_papishared *
find_running(const struct hpm_eventset *events, int component)
{
    for (struct hpm_papishared *shared = running; shared != NULL;
         shared = shared->next) {
        if (shared->pid == getpid() && shared->component == component &&
            shared->events == events)
            return shared;
    }
    return NULL;
}

struct hpm_papishared *
hpm_papishared_open(const struct hpm_eventset *events, int component,
                    struct hpm_error *err)
{
    struct hpm_papishared *shared = find_running(events, component);

    if (shared == NULL) {
        shared = hpm_memory_new(1, sizeof *shared);
        if (shared == NULL) {
            hpm_error_no_memory(err);
            return NULL;
        }
        shared->events = events;
        shared->component = component;
        shared->pid = getpid();
        if (!start(shared, err)) {
            hpm_memory_free(shared);
            return NULL;
        }
        shared->next = running;
        running = shared;
    }
    shared->n_users++;
    return shared;
}

void
hpm_papishared_close(struct hpm_papishared *shared)
{
    struct hpm_papishared **link = &running;

    if (--shared->n_users > 0)
        return;
    while (*link != shared)
        link = &(*link)->next;
    *link = shared->next;
    hpm_papiset_close(&shared->set);
    hpm_memory_free(shared);
}

static void
fail(struct hpm_papishared *shared, size_t item,
     enum hpm_papishared_trouble trouble)
{
    int fine = HPM_PAPISHARED_FINE;

    atomic_compare_exchange_strong(&shared->items[item].trouble, &fine,
                                   (int)trouble);
    atomic_store(&shared->is_troubled, true);
}

/* Below the last one by any thread, for they all read one sequence. */
static void
check(struct hpm_papishared *shared, size_t item, long long value)
{
    if (value > most_counted || value < -most_counted)
        fail(shared, item, HPM_PAPISHARED_IS_REAL);
    else if (value < shared->items[item].last)
        fail(shared, item, HPM_PAPISHARED_WENT_BACK);
    shared->items[item].last = value;
}

bool
hpm_papishared_read(struct hpm_papishared *shared, uint64_t *slots,
                    size_t n_events)
{
    long long values[HPM_MAX_ALL_EVENTS];

    hpm_forklock_take(&shared->lock, shared->pid);
    if (shared->error == PAPI_OK)
        shared->error = hpm_papiset_read(&shared->set, values);
    for (size_t i = 0; i < shared->n; i++) {
        if (shared->error != PAPI_OK) {
            fail(shared, i, HPM_PAPISHARED_FAILED);
            continue;
        }
        check(shared, i, values[i]);
        if (shared->items[i].event < n_events)
            slots[1 + shared->items[i].event] = (uint64_t)values[i];
    }
    hpm_forklock_give(&shared->lock);
    return !atomic_load_explicit(&shared->is_troubled, memory_order_relaxed);
}

size_t
hpm_papishared_event(const struct hpm_papishared *shared, size_t n,
                     enum hpm_papishared_trouble *ret_trouble)
{
    if (n >= shared->n)
        return SIZE_MAX;
    *ret_trouble = (enum hpm_papishared_trouble)atomic_load(
        &shared->items[n].trouble);
    return shared->items[n].event;
}

void
hpm_papishared_explain(const struct hpm_papishared *shared,
                       enum hpm_papishared_trouble trouble,
                       struct hpm_error *err)
{
    switch (trouble) {
    case HPM_PAPISHARED_FINE:
        hpm_error_set(err, "nothing is wrong");
        break;
    case HPM_PAPISHARED_IS_REAL:
        hpm_error_set(err, "its value is a floating-point number, or beyond "
                           "2^61; only integers are counted");
        break;
    case HPM_PAPISHARED_WENT_BACK:
        hpm_error_set(err, "it went back, which a count does not: it is a "
                           "level, or the program set it back (PAPI_start and "
                           "PAPI_reset do)");
        break;
    case HPM_PAPISHARED_FAILED:
        hpm_papiset_explain(shared->error, err);
        break;
    }
}
