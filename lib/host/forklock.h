/* SPDX-License-Identifier: BSD-3-Clause
 * A lock that a fork cannot leave taken in the child. */
#ifndef HPM_HOST_FORKLOCK_H
#define HPM_HOST_FORKLOCK_H

#include <stdatomic.h>
#include <sys/types.h>

/* The id of the process whose thread holds it, 0 when it is free: for a child
 * a lock its parent held at the fork is free.  Start from {0}. */
struct hpm_forklock {
    atomic_int holder;
};

/* Spin a little, then yield the processor until it is free.  Not again by the
 * thread that holds it.  `pid` is this process. */
void hpm_forklock_take(struct hpm_forklock *lock, pid_t pid);

void hpm_forklock_give(struct hpm_forklock *lock);

#endif
