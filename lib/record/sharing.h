/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of the sections of a table whose counters take turns (shares.h): a step
 * is some calls of a quarter of a millisecond together, a longer call, or a
 * slice of a long one, for where a stop comes 4 ms after the last slice or later,
 * all sections that are open end a step.
 *
 * Where nothing takes turns, these do nothing.  Thread: the table's. */
#ifndef HPM_RECORD_SHARING_H
#define HPM_RECORD_SHARING_H

#include "record/calltree.h"

/* Is this the stop of the innermost section, on the long way only because
 * counters take turns, and ends no step?  The sample is in tree->now, `clock` its time. */
bool hpm_sharing_is_plain_stop(const struct hpm_calltree *tree, int instance,
                               uint64_t clock);

/* A section has ended a call with the sample in tree->now, and its sums have
 * it.  NULL for none. */
void hpm_sharing_close(struct hpm_calltree *tree, const struct hpm_node *node);

/* All that is open ends a step, if it is time for that. */
void hpm_sharing_slice(struct hpm_calltree *tree);

/* Before a section is closed with the sample in tree->now: where the source
 * knows the ends of slices since the last sample, all that was open at each of
 * them ends a step there, for a long call may have no stop in it. */
void hpm_sharing_follow(struct hpm_calltree *tree);

/* The same at once, for who knows another time that is good. */
void hpm_sharing_slice_now(struct hpm_calltree *tree);

/* All sections are closed, and the run has ended. */
void hpm_sharing_end(struct hpm_calltree *tree);

/* Another table has just been merged into this one. */
void hpm_sharing_merge(struct hpm_calltree *tree,
                       const struct hpm_calltree *other);

#endif
