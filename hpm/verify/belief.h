/* SPDX-License-Identifier: BSD-3-Clause
 * Does an event count what it should, by what it counted of kernels? */
#ifndef HPM_BELIEF_H
#define HPM_BELIEF_H

#include "hpm/verify/knowncounts.h"
#include "hpm/verify/trial.h"

struct belief {
    enum belief_verdict {
        BELIEF_RIGHT,
        BELIEF_MOVES,     /* it counts; nobody knows how much it should */
        BELIEF_STILL,     /* the same, and it was 0 in all kernels */
        BELIEF_UNTRIED,   /* no kernel that runs here has what it counts */
        BELIEF_UNCOUNTED, /* it cannot be counted here */
        BELIEF_DEAD,      /* from here on it counts wrongly */
        BELIEF_STUCK,
        BELIEF_SATURATED,
        BELIEF_UNSTEADY,
        BELIEF_OFFSET,
        BELIEF_KERNEL, /* what the system does, too, though it should not */
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

/* What to believe of an event that should count `known`. */
void belief_judge(const struct trial_event *event,
                  const struct knowncount *known, const struct kernels *kernels,
                  struct belief *ret_belief);

#endif
