/* SPDX-License-Identifier: BSD-3-Clause
 * A process that continues a stopped hpmcount when the program continues. */
#ifndef HPMCOUNT_WAKER_H
#define HPMCOUNT_WAKER_H

#include <stdbool.h>
#include <sys/types.h>

/* Is the program stopped?  False also where /proc does not say. */
bool waker_sees_stop(pid_t program);

/* Call before hpmcount stops: starts a process that waits until the stopped
 * program continues or ends, and then sends SIGCONT to hpmcount. -1 on
 * failure. */
pid_t waker_start(pid_t program);

/* End the waker after hpmcount continued. */
void waker_end(pid_t waker);

#endif
