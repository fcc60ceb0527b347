/* SPDX-License-Identifier: BSD-3-Clause
 * The time in calls of MPI: how long and how often each thread was in calls of each
 * class. */
#include "mpi/calltime.h"

#include <pthread.h>

atomic_bool hpm_calltime_is_on;
bool hpm_calltime_has_tick;
__thread struct hpm_calltime *hpm_calltime_own;

static uint64_t
libc_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t (*hpm_calltime_kernel_ns)(void) = libc_ns;

static const struct hpm_handover_listener *_Atomic nobody;

const struct hpm_handover_listener *_Atomic *hpm_calltime_listener = &nobody;

static struct hpm_parts threads;
static pthread_once_t is_begun = PTHREAD_ONCE_INIT;
static atomic_bool are_lost;

/* A thread that was cancelled in a call of MPI ends the call here. */
static void
leave(void *context)
{
    struct hpm_calltime *own = context;

    if (own->depth > 0)
        hpm_calltime_abandon(own);
    hpm_calltime_own = NULL;
    hpm_part_release(&own->part);
}

/* End what a call that is open has waited, and count it up to now, as readings
 * have: sums never fall. */
static void
count_until(struct hpm_calltime *calltime, uint64_t now)
{
    uint64_t since = atomic_load(&calltime->since);
    uint64_t waits_since = atomic_load(&calltime->waits_since);
    int class = atomic_load(&calltime->class);

    if (since != 0)
        hpm_turn_raise(&calltime->sums[class].ticks, now - since);
    if (waits_since != 0)
        hpm_turn_raise(&calltime->sums[class].waiting, now - waits_since);
    atomic_store(&calltime->since, 0);
    atomic_store(&calltime->waits_since, 0);
    calltime->depth = 0;
}

/* A forked child has the calling thread alone: the calls of the others will never
 * end, nor a change of their sums. */
static void
end_others_calls(void)
{
    uint64_t now = hpm_calltime_now();

    for (struct hpm_part *part = threads.first; part != NULL;
         part = part->next) {
        struct hpm_calltime *each = (struct hpm_calltime *)part;

        if (each == hpm_calltime_own)
            continue;
        count_until(each, now);
        hpm_turn_end(&each->turn);
    }
}

/* No call is open. */
static void
begin_part(void *part)
{
    (void)part;
}

static void
begin_parts(void)
{
    hpm_parts_begin(&threads, sizeof(struct hpm_calltime), begin_part, leave,
                    end_others_calls);
}

void
hpm_calltime_start(bool has_tick, uint64_t (*kernel_ns)(void))
{
    hpm_calltime_has_tick = has_tick;
    hpm_calltime_kernel_ns = kernel_ns;
    pthread_once(&is_begun, begin_parts);
    atomic_store(&hpm_calltime_is_on, true);
}

bool
hpm_calltime_are_lost(void)
{
    return atomic_load_explicit(&are_lost, memory_order_relaxed);
}

void
hpm_calltime_abandon(struct hpm_calltime *own)
{
    int class = atomic_load(&own->class);
    uint64_t now = hpm_calltime_now();

    hpm_turn_open(&own->turn);
    count_until(own, now);
    hpm_turn_raise(&own->sums[class].calls, 1);
    hpm_turn_close(&own->turn);
    hpm_calltime_tell(false, now);
}

struct hpm_calltime *
hpm_calltime_take(void)
{
    if (hpm_calltime_own == NULL)
        hpm_calltime_own = (struct hpm_calltime *)hpm_parts_take(&threads);
    if (hpm_calltime_own == NULL)
        atomic_store(&are_lost, true);
    return hpm_calltime_own;
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
    uint64_t begun = hpm_turn_begin(&calltime->turn);

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
        sums[i].last =
            atomic_load_explicit(&calltime->sums[i].last, memory_order_acquire);
        sums[i].delay_ns = atomic_load_explicit(&calltime->sums[i].delay_ns,
                                                memory_order_acquire);
    }
    return hpm_turn_is_one(&calltime->turn, begun);
}

/* A thread that is stopped while it changes its sums is not waited for.  Nobody can
 * tell then whether its call is in them: the sums lack the call rather than have it
 * twice. */
void
hpm_calltime_add(const struct hpm_calltime *calltime, uint64_t now,
                 struct hpm_callsums sums[HPM_N_CALLCLASSES])
{
    struct state state;
    bool is_whole = false;

    for (int i = 0; i < 100 && !is_whole; i++)
        is_whole = copy(calltime, &state);
    for (int i = 0; i < HPM_N_CALLCLASSES; i++) {
        sums[i].ticks += state.sums[i].ticks;
        sums[i].calls += state.sums[i].calls;
        sums[i].bytes += state.sums[i].bytes;
        sums[i].waiting += state.sums[i].waiting;
        sums[i].last += state.sums[i].last;
        sums[i].delay_ns += state.sums[i].delay_ns;
    }
    if (is_whole && state.since != 0 && now > state.since)
        sums[state.class].ticks += now - state.since;
    if (is_whole && state.waits_since != 0 && now > state.waits_since)
        sums[state.class].waiting += now - state.waits_since;
}

void
hpm_calltime_add_all(uint64_t now, struct hpm_callsums sums[HPM_N_CALLCLASSES])
{
    for (const struct hpm_part *part = threads.first; part != NULL;
         part = part->next)
        hpm_calltime_add((const struct hpm_calltime *)part, now, sums);
}
