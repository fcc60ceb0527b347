/* SPDX-License-Identifier: BSD-3-Clause
 * Does a function take long enough to be measured? */
#include "functions/trial.h"

#include <time.h>

uint64_t
hpm_trial_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Calls are counted and not summed up: one call during which another program had the
 * processor is longer than all others together. */
enum hpm_trial_verdict
hpm_trial_end(struct hpm_trial *trial, uint64_t own_ns, uint64_t hooks_ns)
{
    unsigned n;

    if (own_ns < hooks_ns)
        atomic_fetch_add_explicit(&trial->n_short, 1, memory_order_relaxed);
    n = atomic_fetch_add_explicit(&trial->n_timed, 1, memory_order_relaxed) + 1;
    if (n != HPM_TRIAL_TIMED)
        return HPM_TRIAL_GOES_ON;
    return atomic_load_explicit(&trial->n_short, memory_order_relaxed) >=
                   HPM_TRIAL_TIMED / 10 * 9
               ? HPM_TRIAL_TOO_SHORT
               : HPM_TRIAL_LONG_ENOUGH;
}
