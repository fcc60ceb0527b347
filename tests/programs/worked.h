/* SPDX-License-Identifier: BSD-3-Clause
 * How long a program that is sampled has worked, by its thread's processor time. */
#ifndef HPM_TEST_WORKED_H
#define HPM_TEST_WORKED_H

#include <stdbool.h>
#include <time.h>

/* WORK_ROUNDS take some 30 us between two questions for the time. */
enum { WORK_NS = 120000000, GAP_NS = 500000, WORK_ROUNDS = 20000 };

struct worked {
    long long last_ns; /* the thread's clock when it was asked last */
    long long sum_ns;
};

static inline long long
thread_ns(void)
{
    struct timespec time = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline struct worked
begin_work(void)
{
    return (struct worked){.last_ns = thread_ns()};
}

static inline bool
goes_on(struct worked *worked)
{
    long long now = thread_ns();
    long long passed = now - worked->last_ns;

    worked->last_ns = now;
    worked->sum_ns += passed < GAP_NS ? passed : GAP_NS;
    return worked->sum_ns < WORK_NS;
}

#endif
