/* SPDX-License-Identifier: BSD-3-Clause
 * A lock that costs the same number of instructions whenever it is free.  A
 * pthread mutex does not: it takes a short cut while the process has one
 * thread. */
#ifndef HPM_HOST_LOCK_H
#define HPM_HOST_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

struct hpm_lock {
    atomic_bool is_taken;
};

/* Wait until the lock is free and take it; false if it was not free within
 * `patience` milliseconds (-1: wait for ever).  Not for a thread that holds
 * it. */
bool hpm_lock_wait(struct hpm_lock *lock, int patience);

static inline void
hpm_lock_take(struct hpm_lock *lock)
{
    if (__builtin_expect(atomic_exchange_explicit(&lock->is_taken, true,
                                                  memory_order_acquire),
                         0))
        hpm_lock_wait(lock, -1);
}

static inline void
hpm_lock_give(struct hpm_lock *lock)
{
    atomic_store_explicit(&lock->is_taken, false, memory_order_release);
}

#endif
