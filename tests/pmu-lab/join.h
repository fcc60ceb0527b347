/* SPDX-License-Identifier: BSD-3-Clause
 * Joining threads with the same number of instructions each time.  pthread_join
 * takes 117 more (glibc 2.36, arm64) if it must wait for a running thread, and
 * whether it must depends on when the timer interrupted.  A read takes the same
 * instructions whether it waits or not, and so does a sleep. */
#ifndef PMU_LAB_JOIN_H
#define PMU_LAB_JOIN_H

#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* Each thread adds 1 as the last step of its own work. */
static int join_events;

static inline void
join_prepare(void)
{
    join_events = eventfd(0, EFD_SEMAPHORE);
}

static inline void
join_announce(void)
{
    const uint64_t one = 1;

    if (write(join_events, &one, sizeof one) != sizeof one)
        _exit(3);
}

/* The C library and libhpm need less than a millisecond for the end of a
 * thread. */
static inline void
join_all(const pthread_t *threads, int n)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    uint64_t one;

    for (int i = 0; i < n; i++) {
        if (read(join_events, &one, sizeof one) != sizeof one)
            _exit(3);
    }
    nanosleep(&moment, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

#endif
