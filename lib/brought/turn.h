/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that one thread changes while any thread may read them: what changes together
 * is enclosed by two steps of a turn, so that a reader sees whether what it has read is
 * of one instant.  The turn is odd while the numbers are being changed. */
#ifndef HPM_BROUGHT_TURN_H
#define HPM_BROUGHT_TURN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The thread itself begins and ends a change. */
static inline void
hpm_turn_open(_Atomic uint64_t *turn)
{
    uint64_t value = atomic_load_explicit(turn, memory_order_relaxed);

    atomic_store_explicit(turn, value + 1, memory_order_relaxed);
}

static inline void
hpm_turn_close(_Atomic uint64_t *turn)
{
    uint64_t value = atomic_load_explicit(turn, memory_order_relaxed);

    atomic_store_explicit(turn, value + 1, memory_order_release);
}

/* Whoever sees the new number sees that the turn was opened, too. */
static inline void
hpm_turn_raise(_Atomic uint64_t *number, uint64_t by)
{
    uint64_t value = atomic_load_explicit(number, memory_order_relaxed);

    atomic_store_explicit(number, value + by, memory_order_release);
}

/* Ends what the thread of a forked child's parent was changing: it is not there. */
static inline void
hpm_turn_end(_Atomic uint64_t *turn)
{
    if (atomic_load(turn) % 2 != 0)
        atomic_fetch_add(turn, 1);
}

/* A reader begins; then the numbers are read with memory_order_acquire. */
static inline uint64_t
hpm_turn_begin(const _Atomic uint64_t *turn)
{
    return atomic_load_explicit(turn, memory_order_acquire);
}

/* Are the numbers that were read since then of one instant? */
static inline bool
hpm_turn_is_one(const _Atomic uint64_t *turn, uint64_t begun)
{
    return begun % 2 == 0 &&
           atomic_load_explicit(turn, memory_order_relaxed) == begun;
}

#endif
