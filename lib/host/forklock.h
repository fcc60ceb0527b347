/* SPDX-License-Identifier: BSD-3-Clause
 * A lock that a fork cannot leave taken in the child. */
#ifndef HPM_HOST_FORKLOCK_H
#define HPM_HOST_FORKLOCK_H

#include <stdatomic.h>
#include <sys/types.h>

/* The id of the process that holds the lock, 0 when it is free: a lock that the
 * parent held at the fork is free for the child.  Start from {0}. */
struct hpm_forklock {
    atomic_int holder;
};

/* Spin a little, then yield the processor until the lock is free.  A thread
 * must not take it twice.  `pid` is the id of this process. */
void hpm_forklock_take(struct hpm_forklock *lock, pid_t pid);

void hpm_forklock_give(struct hpm_forklock *lock);

#endif
