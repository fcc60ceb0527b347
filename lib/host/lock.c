/* SPDX-License-Identifier: BSD-3-Clause
 * A lock that costs the same number of instructions whenever it is free. */
#include "host/lock.h"

#include <sched.h>
#include <time.h>

enum { YIELDS = 100 };

/* The lock is held for microseconds.  Its holder may be off the processor and
 * of lower priority than we are, and then yielding alone never lets it run:
 * sleep in the end. */
bool
hpm_lock_wait(struct hpm_lock *lock, int patience)
{
    for (int i = 0;; i++) {
        if (!atomic_exchange_explicit(&lock->is_taken, true,
                                      memory_order_acquire))
            return true;
        if (i < YIELDS) {
            sched_yield();
            continue;
        }
        if (patience >= 0 && i >= YIELDS + patience)
            return false;
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, 1000000},
                        NULL);
    }
}
