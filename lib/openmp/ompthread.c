/* SPDX-License-Identifier: BSD-3-Clause
 * A thread of an OpenMP program: its state now, and how long and how often it has been
 * in each. */
#include "openmp/ompthread.h"

#include <pthread.h>
#include <time.h>

#include "base/mark.h"
#include "brought/turn.h"
#include "openmp/ompplace.h"

atomic_bool hpm_ompthread_is_on;
bool hpm_ompthread_has_tick;
__thread struct hpm_ompthread *hpm_ompthread_own;

static uint64_t
libc_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t (*hpm_ompthread_kernel_ns)(void) = libc_ns;

static struct hpm_parts threads;
static pthread_once_t is_begun = PTHREAD_ONCE_INIT;
static const char *_Atomic loss;

/* ---- changes, by the thread itself --------------------------------------- */

static uint64_t
end_of(const struct hpm_ompteam *team)
{
    return team == NULL
               ? 0
               : atomic_load_explicit(&team->ended, memory_order_acquire);
}

static bool
is_in_mpi(const struct hpm_ompthread *thread)
{
    return atomic_load_explicit(&thread->is_in_mpi, memory_order_acquire);
}

/* libomp 14 says of a call that only tries to take a lock what it says of one that waits,
 * and nothing more if the lock is taken: so a thread that does something else, and did
 * not get the lock, did not wait. */
static bool
has_only_tried(const struct hpm_ompthread *own, int state)
{
    return state == HPM_OMPSTATE_LOCK && !own->has_waited;
}

/* The state of which the present time is. */
static int
end_state(struct hpm_ompthread *own)
{
    int state = atomic_load_explicit(&own->state, memory_order_relaxed);

    if (!has_only_tried(own, state))
        return state;
    hpm_turn_raise(&own->sums[HPM_OMPSTATE_LOCK].calls, (uint64_t)-1);
    atomic_store_explicit(&own->state, (int)own->running, memory_order_release);
    return (int)own->running;
}

/* Add the present state's ticks to its sum. */
static void
count_until(struct hpm_ompthread *own, uint64_t now)
{
    int state = end_state(own);
    uint64_t since = atomic_load_explicit(&own->since, memory_order_relaxed);
    uint64_t waited = now - since;

    if (state == HPM_OMPSTATE_OUTSIDE || is_in_mpi(own))
        return;
    if (state == HPM_OMPSTATE_REGION_BARRIER) {
        waited = hpm_ompthread_waited(
            since,
            end_of(atomic_load_explicit(&own->team, memory_order_relaxed)),
            now);
        hpm_turn_raise(&own->sums[HPM_OMPSTATE_SERIAL_IDLE].ticks,
                       now - since - waited);
    }
    hpm_turn_raise(&own->sums[state].ticks, waited);
}

static void
begin_state(struct hpm_ompthread *own, enum hpm_ompstate state, bool is_new,
            uint64_t now)
{
    if (is_new && state != HPM_OMPSTATE_OUTSIDE)
        hpm_turn_raise(&own->sums[state].calls, 1);
    atomic_store_explicit(&own->state, (int)state, memory_order_release);
    atomic_store_explicit(&own->since, now, memory_order_release);
}

uint64_t
hpm_ompthread_change(struct hpm_ompthread *own, enum hpm_ompstate state,
                     bool is_new)
{
    uint64_t now = hpm_ompthread_now();

    hpm_turn_open(&own->turn);
    count_until(own, now);
    begin_state(own, state, is_new, now);
    hpm_turn_close(&own->turn);
    return now;
}

void
hpm_ompthread_come(struct hpm_ompthread *own)
{
    struct hpm_ompteam *team =
        atomic_load_explicit(&own->team, memory_order_relaxed);
    uint64_t waited = 0;
    bool is_last;

    if (team == NULL || !hpm_ompteam_has_others(team))
        return;
    is_last = hpm_ompteam_come(team, hpm_ompthread_now(), &waited);
    hpm_turn_open(&own->turn);
    hpm_turn_raise(&own->sums[HPM_OMPSUM_COME].calls, 1);
    hpm_turn_raise(&own->sums[HPM_OMPSUM_LAST].ticks, waited);
    hpm_turn_raise(&own->sums[HPM_OMPSUM_LAST].calls, is_last);
    hpm_turn_close(&own->turn);
}

uint64_t
hpm_ompthread_change_team(struct hpm_ompthread *own, enum hpm_ompstate state,
                          bool is_new, struct hpm_ompteam *team, bool is_left)
{
    struct hpm_ompteam *left =
        atomic_load_explicit(&own->team, memory_order_relaxed);
    uint64_t now = hpm_ompthread_now();

    hpm_turn_open(&own->turn);
    count_until(own, now);
    begin_state(own, state, is_new, now);
    atomic_store_explicit(&own->team, team, memory_order_release);
    hpm_turn_close(&own->turn);
    if (is_left)
        hpm_ompteam_release(left);
    return now;
}

/* A call of MPI may begin regions, as in a function of the program's that it calls: the
 * state goes on to change then. */
void
hpm_ompthread_tell_mpi(bool begins, uint64_t now)
{
    struct hpm_ompthread *own =
        begins ? hpm_ompthread_get() : hpm_ompthread_own;

    if (own == NULL || is_in_mpi(own) == begins)
        return;
    hpm_turn_open(&own->turn);
    count_until(own, now);
    atomic_store_explicit(&own->is_in_mpi, begins, memory_order_release);
    atomic_store_explicit(&own->since, now, memory_order_release);
    hpm_turn_close(&own->turn);
}

/* ---- threads that come and go -------------------------------------------- */

/* The thread ends: so does its state. */
static void
leave(void *context)
{
    struct hpm_ompthread *own = context;

    hpm_ompthread_change_team(own, HPM_OMPSTATE_OUTSIDE, false, NULL, true);
    own->running = HPM_OMPSTATE_OUTSIDE;
    own->place = NULL;
    own->number = -1;
    atomic_store(&own->is_in_mpi, false);
    atomic_store(&own->begins_regions, false);
    hpm_ompthread_own = NULL;
    hpm_part_release(&own->part);
}

/* A forked child has the calling thread alone: the states of the others end here, and
 * the changes they were in.  Their teams stay held, for they may have been half-way
 * through. */
static void
end_others(void)
{
    uint64_t now = hpm_ompthread_now();

    hpm_ompplace_end();
    for (struct hpm_part *part = threads.first; part != NULL;
         part = part->next) {
        struct hpm_ompthread *each = (struct hpm_ompthread *)part;

        if (each == hpm_ompthread_own)
            continue;
        count_until(each, now);
        atomic_store(&each->state, HPM_OMPSTATE_OUTSIDE);
        atomic_store(&each->is_in_mpi, false);
        atomic_store(&each->begins_regions, false);
        each->running = HPM_OMPSTATE_OUTSIDE;
        hpm_turn_end(&each->turn);
    }
}

/* In no state. */
static void
begin_part(void *part)
{
    struct hpm_ompthread *made = part;

    atomic_init(&made->state, HPM_OMPSTATE_OUTSIDE);
    made->running = HPM_OMPSTATE_OUTSIDE;
    made->number = -1;
}

static void
begin_parts(void)
{
    hpm_parts_begin(&threads, sizeof(struct hpm_ompthread), begin_part, leave,
                    end_others);
}

void
hpm_ompthread_start(bool has_tick, uint64_t (*kernel_ns)(void))
{
    hpm_ompthread_has_tick = has_tick;
    hpm_ompthread_kernel_ns = kernel_ns;
    pthread_once(&is_begun, begin_parts);
    atomic_store(&hpm_ompthread_is_on, true);
}

int
hpm_ompthread_number(void)
{
    return hpm_ompthread_own != NULL ? hpm_ompthread_own->number : -1;
}

void
hpm_ompthread_lose(const char *reason)
{
    const char *none = NULL;

    atomic_compare_exchange_strong(&loss, &none, reason);
    atomic_store(&hpm_ompthread_is_on, false);
}

const char *
hpm_ompthread_loss(void)
{
    return atomic_load_explicit(&loss, memory_order_relaxed);
}

struct hpm_ompthread *
hpm_ompthread_take(void)
{
    if (hpm_ompthread_own == NULL)
        hpm_ompthread_own = (struct hpm_ompthread *)hpm_parts_take(&threads);
    if (hpm_ompthread_own == NULL)
        hpm_ompthread_lose(
            N_("out of memory, or of thread-specific keys of the program, for "
               "what OpenMP tells of its threads"));
    return hpm_ompthread_own;
}

/* ---- reading, by any thread ---------------------------------------------- */

struct copy {
    struct hpm_ompsums sums[HPM_N_OMPSUMS];
    uint64_t since, ended;
    int state;
    bool is_in_mpi;
};

/* The state of one instant; false if the thread changed it meanwhile. */
static bool
make_copy(const struct hpm_ompthread *thread, struct copy *ret_copy)
{
    uint64_t begun = hpm_turn_begin(&thread->turn);

    ret_copy->since =
        atomic_load_explicit(&thread->since, memory_order_acquire);
    ret_copy->state =
        atomic_load_explicit(&thread->state, memory_order_acquire);
    ret_copy->is_in_mpi = is_in_mpi(thread);
    ret_copy->ended =
        end_of(atomic_load_explicit(&thread->team, memory_order_acquire));
    for (int i = 0; i < HPM_N_OMPSUMS; i++) {
        ret_copy->sums[i].ticks =
            atomic_load_explicit(&thread->sums[i].ticks, memory_order_acquire);
        ret_copy->sums[i].calls =
            atomic_load_explicit(&thread->sums[i].calls, memory_order_acquire);
    }
    return hpm_turn_is_one(&thread->turn, begun);
}

static bool
make_whole_copy(const struct hpm_ompthread *thread, struct copy *ret_copy)
{
    bool is_whole = false;

    for (int i = 0; i < 100 && !is_whole; i++)
        is_whole = make_copy(thread, ret_copy);
    return is_whole;
}

/* A runtime's thread waits for work in a barrier that has ended. */
static bool
goes_on(const struct hpm_ompthread *thread)
{
    struct copy copy;

    if (atomic_load(&thread->begins_regions) || !make_whole_copy(thread, &copy))
        return true;
    return copy.state != HPM_OMPSTATE_OUTSIDE &&
           copy.state != HPM_OMPSTATE_SERIAL_IDLE &&
           (copy.state != HPM_OMPSTATE_REGION_BARRIER || copy.ended == 0);
}

bool
hpm_ompthread_others_go_on(void)
{
    for (const struct hpm_part *part = threads.first; part != NULL;
         part = part->next) {
        const struct hpm_ompthread *each = (const struct hpm_ompthread *)part;

        if (each != hpm_ompthread_own && goes_on(each))
            return true;
    }
    return false;
}

/* A thread that is stopped while it changes its state is not waited for: then its sums
 * lack the state rather than have its time twice. */
void
hpm_ompthread_add(const struct hpm_ompthread *thread, uint64_t now,
                  struct hpm_ompsums sums[HPM_N_OMPSUMS])
{
    struct copy copy;
    bool is_whole = make_whole_copy(thread, &copy);
    uint64_t waited;

    if (thread == hpm_ompthread_own && has_only_tried(thread, copy.state)) {
        copy.sums[HPM_OMPSTATE_LOCK].calls--;
        copy.state = (int)thread->running;
    }
    for (int i = 0; i < HPM_N_OMPSUMS; i++) {
        sums[i].ticks += copy.sums[i].ticks;
        sums[i].calls += copy.sums[i].calls;
    }
    if (!is_whole || copy.state == HPM_OMPSTATE_OUTSIDE || copy.is_in_mpi ||
        now <= copy.since)
        return;
    waited = now - copy.since;
    if (copy.state == HPM_OMPSTATE_REGION_BARRIER) {
        waited = hpm_ompthread_waited(copy.since, copy.ended, now);
        sums[HPM_OMPSTATE_SERIAL_IDLE].ticks += now - copy.since - waited;
    }
    sums[copy.state].ticks += waited;
}

void
hpm_ompthread_add_all(uint64_t now, struct hpm_ompsums sums[HPM_N_OMPSUMS])
{
    for (const struct hpm_part *part = threads.first; part != NULL;
         part = part->next)
        hpm_ompthread_add((const struct hpm_ompthread *)part, now, sums);
}
