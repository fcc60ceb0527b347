/* SPDX-License-Identifier: BSD-3-Clause
 * A process that lets a stopped hpmcount go on when the program does. */
#ifndef HPMCOUNT_WAKER_H
#define HPMCOUNT_WAKER_H

#include <stdbool.h>
#include <sys/types.h>

/* Is the program stopped?  False also where /proc does not say. */
bool waker_sees_stop(pid_t program);

/* Before hpmcount stops: from now on a process waits until the program, which
 * is stopped, goes on or ends, and then sends SIGCONT to hpmcount.  -1 where
 * there can be none. */
pid_t waker_start(pid_t program);

/* hpmcount goes on. */
void waker_end(pid_t waker);

#endif
