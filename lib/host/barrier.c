/* SPDX-License-Identifier: BSD-3-Clause
 * A memory barrier in all threads of the process at once. */
#include "host/barrier.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void
hpm_barrier_prepare(void)
{
    int saved_errno = errno;

    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    errno = saved_errno;
}

/* Old kernels have no membarrier, and some systems forbid it: then wait a
 * millisecond, long enough for every store buffer to drain. */
void
hpm_barrier_everywhere(void)
{
    int saved_errno = errno;

    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    errno = saved_errno;
}
