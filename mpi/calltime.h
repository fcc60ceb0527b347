/* SPDX-License-Identifier: BSD-3-Clause
 * The time in calls of MPI: how long and how often each thread was in calls of each
 * class.
 *
 * A thread alone writes its sums; any thread may read them while the thread that
 * owns them is in a call.  A call inside another one (of a Fortran library that
 * calls the C function, of a callback) belongs to the outer one. */
#ifndef HPM_MPI_CALLTIME_H
#define HPM_MPI_CALLTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "brought/parts.h"
#include "brought/turn.h"
#include "mpi/callclass.h"
#include "session/handover.h"
#include "source/clock.h"

struct hpm_callsums {
    uint64_t ticks, calls, bytes, waiting, last, delay_ns;
};

struct hpm_calltime {
    struct hpm_part part;
    unsigned depth;         /* calls of MPI that are open */
    uintptr_t frame;        /* of the outermost open call's function */
    _Atomic uint64_t turn;  /* odd: the sums are being changed */
    _Atomic uint64_t since; /* when the outermost call began; 0: none is open */
    _Atomic int class;      /* of that call */
    /* when the call's waiting began; 0: it does not wait */
    _Atomic uint64_t waits_since;
    struct {
        _Atomic uint64_t ticks, calls, bytes;
        _Atomic uint64_t waiting; /* ticks, of `ticks` */
        /* calls to which this task came last, or later than the other end of a
         * message */
        _Atomic uint64_t last;
        _Atomic uint64_t delay_ns; /* what others waited for it in these */
    } sums[HPM_N_CALLCLASSES];
};

/* Does anybody want the times?  Not before hpm_calltime_start. */
extern atomic_bool hpm_calltime_is_on __attribute__((visibility("hidden")));

/* Is the tick register the clock, as in libhpm? */
extern bool hpm_calltime_has_tick __attribute__((visibility("hidden")));

/* The calling thread's sums; NULL before its first call. */
extern __thread struct hpm_calltime *hpm_calltime_own
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The kernel's clock as libhpm reads it; the C library's until libhpm has lent it. */
extern uint64_t (*hpm_calltime_kernel_ns)(void)
    __attribute__((visibility("hidden")));

/* Whom calls are told of, besides: what libhpm_openmp counts of a thread stands still in
 * a call of MPI, so that no time is of both. */
extern const struct hpm_handover_listener *_Atomic *hpm_calltime_listener
    __attribute__((visibility("hidden")));

/* Begin to take times, by libhpm's choice of a clock. */
void hpm_calltime_start(bool has_tick, uint64_t (*kernel_ns)(void));

/* The same sums, made if need be; NULL when there is no memory, or no
 * thread-specific key that ends the sums with their thread. */
struct hpm_calltime *hpm_calltime_take(void) __attribute__((cold));

/* Has a thread made calls without sums?  Then those of the process lack them. */
bool hpm_calltime_are_lost(void);

/* The function of the open calls was left by longjmp or an exception: end them. */
void hpm_calltime_abandon(struct hpm_calltime *own) __attribute__((cold));

/* Add the sums at this instant, with the call that is open.  Any thread; never
 * waits. */
void hpm_calltime_add(const struct hpm_calltime *calltime, uint64_t now,
                      struct hpm_callsums sums[HPM_N_CALLCLASSES]);

/* The same of all threads that there have been. */
void hpm_calltime_add_all(uint64_t now,
                          struct hpm_callsums sums[HPM_N_CALLCLASSES]);

/* The clock, in ticks. */
static inline uint64_t
hpm_calltime_now(void)
{
    return hpm_calltime_has_tick ? hpm_clock_read_tick()
                                 : hpm_calltime_kernel_ns();
}

static inline void
hpm_calltime_tell(bool begins, uint64_t now)
{
    const struct hpm_handover_listener *listener =
        atomic_load_explicit(hpm_calltime_listener, memory_order_acquire);

    if (listener != NULL)
        listener->tell(begins, now);
}

/* A call begins; the answer is for hpm_calltime_end.  A call within another one has
 * its frame below that one's, for stacks grow down: a call that has not was not made
 * by the open one, which therefore was left by longjmp or an exception. */
static inline __attribute__((always_inline)) struct hpm_calltime *
    hpm_calltime_begin(enum hpm_callclass class)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    struct hpm_calltime *own;
    uint64_t now;

    if (!atomic_load_explicit(&hpm_calltime_is_on, memory_order_acquire))
        return NULL;
    own = hpm_calltime_own != NULL ? hpm_calltime_own : hpm_calltime_take();
    if (own != NULL && own->depth > 0 && frame >= own->frame)
        hpm_calltime_abandon(own);
    if (own == NULL || own->depth++ > 0)
        return own;
    own->frame = frame;
    atomic_store_explicit(&own->class, (int)class, memory_order_relaxed);
    now = hpm_calltime_now();
    atomic_store_explicit(&own->since, now, memory_order_release);
    hpm_calltime_tell(true, now);
    return own;
}

/* The call ends.  True if it was timed and is in no other call.  The outermost call
 * ends those within it, too: an inner one may have been left by longjmp.  Depth is 0
 * where a call on another stack has ended this one. */
static inline __attribute__((always_inline)) bool
hpm_calltime_end(struct hpm_calltime *own)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uint64_t now;
    int class;

    if (own == NULL || own->depth == 0 ||
        (--own->depth > 0 && frame != own->frame))
        return false;
    own->depth = 0;
    now = hpm_calltime_now();
    class = atomic_load_explicit(&own->class, memory_order_relaxed);
    hpm_turn_open(&own->turn);
    hpm_turn_raise(&own->sums[class].ticks,
                   now -
                       atomic_load_explicit(&own->since, memory_order_relaxed));
    hpm_turn_raise(&own->sums[class].calls, 1);
    atomic_store_explicit(&own->since, 0, memory_order_release);
    hpm_turn_close(&own->turn);
    hpm_calltime_tell(false, now);
    return true;
}

#endif
