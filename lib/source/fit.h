/* SPDX-License-Identifier: BSD-3-Clause
 * Finds which events the hardware's counters can hold at once. */
#ifndef HPM_SOURCE_FIT_H
#define HPM_SOURCE_FIT_H

#include "source/eventset.h"

/* Keep the kernel's events that fit into their PMU beside the events before
 * them in the set.  The others get a state, a reason that names the events in
 * the counters, and no source.  Does nothing if the set's events may take
 * turns.  Keeps errno. */
void hpm_fit_settle(struct hpm_eventset *set) __attribute__((cold));

#endif
