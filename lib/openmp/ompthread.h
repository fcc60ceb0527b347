/* SPDX-License-Identifier: BSD-3-Clause
 * A thread of an OpenMP program: its state now, and how long and how often it has been
 * in each.
 *
 * The thread alone changes this; any thread may read it meanwhile.  What changes is
 * enclosed by two steps of `turn`, so that a reader sees whether what it has read is
 * of one instant. */
#ifndef HPM_OPENMP_OMPTHREAD_H
#define HPM_OPENMP_OMPTHREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "brought/parts.h"
#include "openmp/ompstate.h"
#include "openmp/ompteam.h"
#include "source/clock.h"

/* After the sums of the states: to how many ends of regions the thread came; to how
 * many of these it came last, and how long others waited for it then.  Only where
 * hpm_ompteam_tells_last. */
enum { HPM_OMPSUM_COME = HPM_N_OMPSTATES, HPM_OMPSUM_LAST, HPM_N_OMPSUMS };

struct hpm_ompsums {
    uint64_t ticks, calls;
};

struct hpm_ompthread {
    struct hpm_part part;
    _Atomic uint64_t turn;  /* odd: what follows is being changed */
    _Atomic uint64_t since; /* when the state began */
    _Atomic int state;
    _Atomic bool is_in_mpi; /* in a call of MPI: no state counts */
    /* a thread of the program's own that has begun regions, and may begin more */
    _Atomic bool begins_regions;
    /* of the region the thread is in, or was in last; held */
    struct hpm_ompteam *_Atomic team;
    struct {
        _Atomic uint64_t ticks, calls;
    } sums[HPM_N_OMPSUMS];

    /* the thread's alone */
    enum hpm_ompstate running;  /* the state between waits */
    bool is_after_single;       /* no construct came after a `single` */
    bool has_waited;            /* what it waited for is there */
    int number;                 /* in a region of the first level; else -1 */
    struct hpm_ompplace *place; /* whose section is open; NULL: none */
    _Alignas(64) struct hpm_ompteams teams; /* others write here, too */
};

/* Is the tick register the clock, as in libhpm?  And the kernel's clock; the C
 * library's until hpm_ompthread_start. */
extern bool hpm_ompthread_has_tick __attribute__((visibility("hidden")));
extern uint64_t (*hpm_ompthread_kernel_ns)(void)
    __attribute__((visibility("hidden")));

/* Do threads keep times?  Not before hpm_ompthread_start. */
extern atomic_bool hpm_ompthread_is_on __attribute__((visibility("hidden")));

/* The calling thread; NULL before its first state. */
extern __thread struct hpm_ompthread *hpm_ompthread_own
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The calling thread's number in a parallel region of the first level; -1 elsewhere. */
int hpm_ompthread_number(void);

/* The calling thread begins a call of MPI, or ends it: the time between is MPI's. */
void hpm_ompthread_tell_mpi(bool begins, uint64_t now);

/* Begin to keep times, by libhpm's choice of a clock. */
void hpm_ompthread_start(bool has_tick, uint64_t (*kernel_ns)(void));

/* The same thread, made if need be; NULL when there is no memory, or no
 * thread-specific key that ends the times with their thread. */
struct hpm_ompthread *hpm_ompthread_take(void) __attribute__((cold));

/* Something cannot be seen, as for lack of memory: from now on no times are kept, and
 * nobody knows the later ones.  The first reason, in words that stay; NULL: none. */
void hpm_ompthread_lose(const char *reason) __attribute__((cold));
const char *hpm_ompthread_loss(void);

/* Is another thread in a parallel region, or may it come to be in one, whatever the
 * calling thread does?  Never waits. */
bool hpm_ompthread_others_go_on(void);

/* Add the sums at this instant, with the present state's.  Any thread; never waits. */
void hpm_ompthread_add(const struct hpm_ompthread *thread, uint64_t now,
                       struct hpm_ompsums sums[HPM_N_OMPSUMS]);

/* The same of all threads that there have been. */
void hpm_ompthread_add_all(uint64_t now,
                           struct hpm_ompsums sums[HPM_N_OMPSUMS]);

/* Divide the ticks of a wait in the barrier at a region's end: before the region has
 * ended (ended: 0 or later), and after it, when nothing is left to do. */
static inline uint64_t
hpm_ompthread_waited(uint64_t since, uint64_t ended, uint64_t now)
{
    if (ended == 0 || ended >= now)
        return now - since;
    return ended > since ? ended - since : 0;
}

static inline uint64_t
hpm_ompthread_now(void)
{
    return hpm_ompthread_has_tick ? hpm_clock_read_tick()
                                  : hpm_ompthread_kernel_ns();
}

/* The calling thread, for its next state; NULL: no times are kept. */
static inline struct hpm_ompthread *
hpm_ompthread_get(void)
{
    if (!atomic_load_explicit(&hpm_ompthread_is_on, memory_order_acquire))
        return NULL;
    return hpm_ompthread_own != NULL ? hpm_ompthread_own : hpm_ompthread_take();
}

/* The thread comes to the last barrier of its team; keeps whether it is the last one. */
void hpm_ompthread_come(struct hpm_ompthread *own);

/* The state begins now, and the one before ends.  Not a call of the state where
 * `is_new` is false: it was left for a time.  Returns the clock. */
uint64_t hpm_ompthread_change(struct hpm_ompthread *own,
                              enum hpm_ompstate state, bool is_new);

/* The same, and the thread has another team: it takes over what the caller holds, and
 * gives back the one before if `is_left`. */
uint64_t hpm_ompthread_change_team(struct hpm_ompthread *own,
                                   enum hpm_ompstate state, bool is_new,
                                   struct hpm_ompteam *team, bool is_left);

#endif
