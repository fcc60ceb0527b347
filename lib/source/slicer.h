/* SPDX-License-Identifier: BSD-3-Clause
 * The slicer: a thread of our own that ends slices (papislices.h) of the others.
 * It is made when the first sets take turns, and ends when none do any more.
 * All signals are blocked in it. */
#ifndef HPM_SOURCE_SLICER_H
#define HPM_SOURCE_SLICER_H

#include <stdbool.h>

#include "base/error.h"

/* Have it run, but where a test has a clock of its own; with PAPI's lock held. */
bool hpm_slicer_start(struct hpm_error *err) __attribute__((cold));

/* No set changes from now on, for ever: the process ends, or all meters are
 * closed.  Takes no lock. */
void hpm_slicer_end(void) __attribute__((cold));

/* Around a fork: no set changes meanwhile, so that a child inherits PAPI in one
 * piece.  Release in the parent; a child has no slicer, and its thread leaves
 * what PAPI knows of it in the parent. */
bool hpm_slicer_hold(void);
void hpm_slicer_release(void);
void hpm_slicer_leave_parent(void);

#endif
