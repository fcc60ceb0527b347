/* SPDX-License-Identifier: BSD-3-Clause
 * Does a function take long enough to be measured?  Its first calls are only counted,
 * the next ones are timed: the function's own time, and what its two hooks add. */
#ifndef HPM_FUNCTIONS_TRIAL_H
#define HPM_FUNCTIONS_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Calls that are counted, and then timed. */
enum { HPM_TRIAL_COUNTED = 9000, HPM_TRIAL_TIMED = 1000 };

/* Start from {0}. */
struct hpm_trial {
    atomic_uint n_begun;
    atomic_uint n_timed;
    atomic_uint n_short; /* of those timed */
};

/* Nanoseconds, for differences. */
uint64_t hpm_trial_now(void);

/* A call begins, in any thread; true if it is one of those to be timed. */
static inline bool
hpm_trial_is_timed(struct hpm_trial *trial)
{
    unsigned n =
        atomic_fetch_add_explicit(&trial->n_begun, 1, memory_order_relaxed);

    return n >= HPM_TRIAL_COUNTED && n < HPM_TRIAL_COUNTED + HPM_TRIAL_TIMED;
}

enum hpm_trial_verdict {
    HPM_TRIAL_GOES_ON,
    HPM_TRIAL_TOO_SHORT, /* more was added than measured, nearly always */
    HPM_TRIAL_LONG_ENOUGH
};

/* A timed call has taken `own_ns`, and its hooks `hooks_ns`.  One call in all threads
 * gets a verdict. */
enum hpm_trial_verdict hpm_trial_end(struct hpm_trial *trial, uint64_t own_ns,
                                     uint64_t hooks_ns);

#endif
