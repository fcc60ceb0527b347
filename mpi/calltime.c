/* SPDX-License-Identifier: BSD-3-Clause
 * The time in calls of MPI: how long and how often each thread was in calls of each
 * class. */
#include "mpi/calltime.h"

#include <pthread.h>

#include "host/memory.h"

atomic_bool hpm_calltime_is_on;
bool hpm_calltime_has_tick;
__thread struct hpm_calltime *hpm_calltime_own;

/* Of all threads; never taken out, so that sums of a process only grow. */
static struct hpm_calltime *_Atomic all;

static pthread_once_t is_begun = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* its destructor runs when a thread ends */

/* A thread that was cancelled in a call of MPI ends the call here. */
static void
leave(void *context)
{
    struct hpm_calltime *own = context;

    if (own->depth > 0) {
        own->depth = 1;
        hpm_calltime_end(own);
    }
    hpm_calltime_own = NULL;
    hpm_calltime_release(own);
}

static void
make_key(void)
{
    pthread_key_create(&key, leave);
}

void
hpm_calltime_start(bool has_tick)
{
    hpm_calltime_has_tick = has_tick;
    pthread_once(&is_begun, make_key);
    atomic_store(&hpm_calltime_is_on, true);
}

/* Sums that no thread and no counting uses any more. */
static struct hpm_calltime *
take_free(void)
{
    for (struct hpm_calltime *each = all; each != NULL; each = each->next) {
        unsigned none = 0;

        if (atomic_compare_exchange_strong(&each->users, &none, 1))
            return each;
    }
    return NULL;
}

static struct hpm_calltime *
make(void)
{
    struct hpm_calltime *made = hpm_memory_new_apart(sizeof *made);

    if (made == NULL)
        return NULL;
    atomic_init(&made->users, 1);
    made->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &made->next, made))
        continue;
    return made;
}

struct hpm_calltime *
hpm_calltime_take(void)
{
    if (hpm_calltime_own == NULL) {
        hpm_calltime_own = take_free();
        if (hpm_calltime_own == NULL)
            hpm_calltime_own = make();
        pthread_setspecific(key, hpm_calltime_own);
    }
    return hpm_calltime_own;
}

void
hpm_calltime_hold(struct hpm_calltime *calltime)
{
    atomic_fetch_add(&calltime->users, 1);
}

void
hpm_calltime_release(struct hpm_calltime *calltime)
{
    atomic_fetch_sub(&calltime->users, 1);
}

/* What a thread has done, and the call it is in. */
struct state {
    struct hpm_callsums sums[HPM_N_CALLCLASSES];
    uint64_t since, waits_since;
    int class;
};

/* The state of one instant; false if the thread changed it meanwhile. */
static bool
copy(const struct hpm_calltime *calltime, struct state *ret_state)
{
    struct hpm_callsums *sums = ret_state->sums;
    uint64_t turn = atomic_load_explicit(&calltime->turn, memory_order_acquire);

    ret_state->since =
        atomic_load_explicit(&calltime->since, memory_order_acquire);
    ret_state->waits_since =
        atomic_load_explicit(&calltime->waits_since, memory_order_acquire);
    ret_state->class =
        atomic_load_explicit(&calltime->class, memory_order_relaxed);
    for (int i = 0; i < HPM_N_CALLCLASSES; i++) {
        sums[i].ticks = atomic_load_explicit(&calltime->sums[i].ticks,
                                             memory_order_acquire);
        sums[i].calls = atomic_load_explicit(&calltime->sums[i].calls,
                                             memory_order_acquire);
        sums[i].bytes = atomic_load_explicit(&calltime->sums[i].bytes,
                                             memory_order_acquire);
        sums[i].waiting = atomic_load_explicit(&calltime->sums[i].waiting,
                                               memory_order_acquire);
    }
    return turn % 2 == 0 &&
           atomic_load_explicit(&calltime->turn, memory_order_relaxed) == turn;
}

/* A thread that is changed between two of its instructions is not waited for: then
 * the sums may lack, or have twice, one call. */
void
hpm_calltime_add(const struct hpm_calltime *calltime, uint64_t now,
                 struct hpm_callsums sums[HPM_N_CALLCLASSES])
{
    struct state state;

    for (int i = 0; i < 100 && !copy(calltime, &state); i++)
        continue;
    for (int i = 0; i < HPM_N_CALLCLASSES; i++) {
        sums[i].ticks += state.sums[i].ticks;
        sums[i].calls += state.sums[i].calls;
        sums[i].bytes += state.sums[i].bytes;
        sums[i].waiting += state.sums[i].waiting;
    }
    if (state.since != 0 && now > state.since)
        sums[state.class].ticks += now - state.since;
    if (state.waits_since != 0 && now > state.waits_since)
        sums[state.class].waiting += now - state.waits_since;
}

void
hpm_calltime_add_all(uint64_t now, struct hpm_callsums sums[HPM_N_CALLCLASSES])
{
    for (const struct hpm_calltime *each = all; each != NULL; each = each->next)
        hpm_calltime_add(each, now, sums);
}
