/* SPDX-License-Identifier: BSD-3-Clause
 * Source "openmp": how long and how often threads are in each state. */
#ifndef HPM_OPENMP_OMPSOURCE_H
#define HPM_OPENMP_OMPSOURCE_H

#include "session/handover.h"
#include "source/source.h"

/* For hpm_private_hand_over_to.  Events: openmp::thread_time, the time that passed, and
 * openmp::STATE_time and _calls, and openmp::region_barrier_delay,
 * _last and _arrivals. */
extern const struct hpm_source hpm_ompsource;

/* Begin to compare the clocks, and tell libhpm the numbers of threads, before the
 * program can measure anything. */
void hpm_ompsource_begin(const struct hpm_loan *lent);

#endif
