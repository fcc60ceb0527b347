/* SPDX-License-Identifier: BSD-3-Clause
 * The slicer: a thread of our own that ends slices (papislices.h) of other
 * threads' sets.  It is made when the first sets take turns, and ends when none
 * do any more.  All signals are blocked in it. */
#ifndef HPM_SOURCE_SLICER_H
#define HPM_SOURCE_SLICER_H

#include <stdbool.h>

#include "base/error.h"

/* Start the slicer, unless a test has replaced the clock.  Needs PAPI's
 * lock. */
bool hpm_slicer_start(struct hpm_error *err) __attribute__((cold));

/* From now on no set changes any more: the process ends, or all meters are
 * closed.  Takes no lock. */
void hpm_slicer_end(void) __attribute__((cold));

/* Call hold before a fork: no set changes meanwhile, so that the child inherits
 * PAPI in a consistent state.  Then call release in the parent, and
 * leave_parent in the child, which has no slicer: PAPI forgets what it knew of
 * the thread in the parent. */
bool hpm_slicer_hold(void);
void hpm_slicer_release(void);
void hpm_slicer_leave_parent(void);

#endif
