/* SPDX-License-Identifier: BSD-3-Clause
 * Does an event count correctly, as its counts of kernels show? */
#ifndef HPM_BELIEF_H
#define HPM_BELIEF_H

#include "hpm/verify/knowncounts.h"
#include "hpm/verify/trial.h"

struct belief {
    enum belief_verdict {
        BELIEF_RIGHT,
        BELIEF_MOVES,     /* it counts; the correct count is not known */
        BELIEF_STILL,     /* the same, and it was 0 in all kernels */
        BELIEF_UNTRIED,   /* no kernel that runs here causes what it counts */
        BELIEF_UNCOUNTED, /* it cannot be counted here */
        BELIEF_DEAD,      /* from here on the event counts wrongly */
        BELIEF_STUCK,
        BELIEF_SATURATED,
        BELIEF_UNSTEADY,
        BELIEF_OFFSET,
        BELIEF_KERNEL, /* it counts in the system, too, though it should not */
        BELIEF_FACTOR,
        BELIEF_OTHER,
        BELIEF_OFF
    } verdict;
    char text[320]; /* what was found, without a full stop */
};

/* "right", "moves" ... */
const char *belief_name(enum belief_verdict verdict);

static inline bool
belief_is_wrong(enum belief_verdict verdict)
{
    return verdict >= BELIEF_DEAD;
}

/* Judge an event that should count `known`. */
void belief_judge(const struct trial_event *event,
                  const struct knowncount *known, const struct kernels *kernels,
                  struct belief *ret_belief);

#endif
