/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of the sections of a table whose counters take turns (shares.h).  A
 * step is several calls with together a quarter of a millisecond, or one longer
 * call, or a slice of a long call: when a stop comes 4 ms after the last slice
 * or later, all open sections end a step.
 *
 * If no counter takes turns, these functions do nothing.  Thread: the
 * table's. */
#ifndef HPM_RECORD_SHARING_H
#define HPM_RECORD_SHARING_H

#include "record/calltree.h"

/* Is this the stop of the innermost section, on the long way only because
 * counters take turns, and does it end no step?  The sample is in tree->now,
 * `clock` is its time. */
bool hpm_sharing_is_plain_stop(const struct hpm_calltree *tree, int instance,
                               uint64_t clock);

/* Call this after a section has ended a call with the sample in tree->now, and
 * the sums contain the call.  `node` may be NULL. */
void hpm_sharing_close(struct hpm_calltree *tree, const struct hpm_node *node);

/* All open sections end a step, if it is time for that. */
void hpm_sharing_slice(struct hpm_calltree *tree);

/* Call this before a section is closed with the sample in tree->now.  If the
 * source knows the ends of slices since the last sample, all sections that were
 * open at such an end get a step there: a long call may have no stop inside. */
void hpm_sharing_follow(struct hpm_calltree *tree);

/* The same at once, if the caller knows a good moment for it. */
void hpm_sharing_slice_now(struct hpm_calltree *tree);

/* Call this when all sections are closed, and the run has ended. */
void hpm_sharing_end(struct hpm_calltree *tree);

/* Call this after another table was merged into this one. */
void hpm_sharing_merge(struct hpm_calltree *tree,
                       const struct hpm_calltree *other);

#endif
