/* SPDX-License-Identifier: BSD-3-Clause
 * A lock that a fork cannot leave taken in the child. */
#include "host/forklock.h"

#include <sched.h>
#include <stdbool.h>

enum { SPINS = 100 };

static bool
try_to_take(struct hpm_forklock *lock, pid_t pid)
{
    int holder = atomic_load_explicit(&lock->holder, memory_order_relaxed);

    return holder != pid && atomic_compare_exchange_weak_explicit(
                                &lock->holder, &holder, pid,
                                memory_order_acquire, memory_order_relaxed);
}

void
hpm_forklock_take(struct hpm_forklock *lock, pid_t pid)
{
    for (unsigned i = 0; !try_to_take(lock, pid); i++) {
        if (i >= SPINS)
            sched_yield();
    }
}

void
hpm_forklock_give(struct hpm_forklock *lock)
{
    atomic_store_explicit(&lock->holder, 0, memory_order_release);
}
