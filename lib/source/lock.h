/* SPDX-License-Identifier: BSD-3-Clause
 * A lock that a fork cannot leave taken in the child. */
#ifndef HPM_SOURCE_LOCK_H
#define HPM_SOURCE_LOCK_H

#include <stdatomic.h>
#include <sys/types.h>

/* The id of the process whose thread holds it, 0 when it is free: for a child
 * a lock its parent held at the fork is free.  Start from {0}. */
struct hpm_lock {
    atomic_int holder;
};

/* Spin a little, then yield the processor until it is free.  Not again by the
 * thread that holds it.  `pid` is this process. */
void hpm_lock_take(struct hpm_lock *lock, pid_t pid);

void hpm_lock_give(struct hpm_lock *lock);

#endif
