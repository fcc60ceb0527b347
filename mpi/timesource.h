/* SPDX-License-Identifier: BSD-3-Clause
 * Source "mpi": time in calls of MPI, their number and bytes, by class. */
#ifndef HPM_MPI_TIMESOURCE_H
#define HPM_MPI_TIMESOURCE_H

#include "session/handover.h"
#include "source/source.h"

/* For hpm_private_hand_over_to.  Events: mpi::elapsed, the time that passed, and
 * mpi::CLASS_time, _calls, _bytes, _waiting, _last, _delay and
 * _late. */
extern const struct hpm_source hpm_timesource;

/* Begin to compare the clocks, before the program can measure anything. */
void hpm_timesource_begin(const struct hpm_loan *lent);

#endif
