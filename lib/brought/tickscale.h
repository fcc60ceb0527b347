/* SPDX-License-Identifier: BSD-3-Clause
 * From ticks of libhpm's clock to nanoseconds, in whole numbers, for libraries that
 * bring libhpm a source of times (libhpm_mpi, libhpm_openmp). */
#ifndef HPM_BROUGHT_TICKSCALE_H
#define HPM_BROUGHT_TICKSCALE_H

#include <stdint.h>

#include "session/handover.h"

/* Begin to compare the clocks, before the program can measure anything.  `lent`
 * stays valid. */
void hpm_tickscale_begin(const struct hpm_loan *lent);

/* Find the length of a tick, once libhpm has chosen its clock.  Waits up to 2 ms
 * where hpm_tickscale_begin was called only just before.  Call it once. */
void hpm_tickscale_settle(void);

/* Only after hpm_tickscale_settle. */
uint64_t hpm_tickscale_ns(uint64_t ticks);

#endif
