/* SPDX-License-Identifier: BSD-3-Clause
 * Which events the counters of the hardware can hold at once. */
#ifndef HPM_SOURCE_FIT_H
#define HPM_SOURCE_FIT_H

#include "source/eventset.h"

/* Of the kernel's events that a PMU counts, keep those that fit beside the ones
 * before them in the set; the others get a state, a reason that names what
 * takes the counters, and no source.  Nothing is done to a set whose events may
 * take turns.  Keeps errno. */
void hpm_fit_settle(struct hpm_eventset *set) __attribute__((cold));

#endif
