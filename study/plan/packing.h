/* SPDX-License-Identifier: BSD-3-Clause
 * From events that are wanted together to few sets of events, each of which the
 * counters can hold at once.
 *
 *     closures                       sets
 *     {cycles, instructions}         1  cycles, instructions, loads, misses
 *     {loads, misses}                2  cycles, instructions, branches
 *     {branches}
 *
 * A closure is what one formula computes with.  Those of differences are kept
 * together, for a difference of counts of two runs can come out below 0.  Those
 * of ratios are kept together as far as that takes no set more: a ratio of
 * counts of two runs compares these runs.
 *
 * The way is first-fit decreasing, each closure to the set with which it shares
 * most, then the emptying of sets into others; again with other orders, and the
 * least number of sets wins.  That is no proof that there are no fewer.  The
 * same input gives the same sets.
 */
#ifndef HPM_STUDY_PLAN_PACKING_H
#define HPM_STUDY_PLAN_PACKING_H

#include "base/error.h"
#include "study/plan/eventmask.h"

#define HPM_NO_SET SIZE_MAX

struct hpm_closure {
    struct hpm_eventmask events;
    bool may_be_apart; /* rather than take a set more */
};

/* Can these events be counted at once?  Where they can, a part of them can as
 * well. */
typedef bool hpm_packing_fits(const struct hpm_eventmask *events,
                              void *context);

struct hpm_packing_task {
    const struct hpm_closure *closures;
    size_t n_closures;
    struct hpm_eventmask anchors; /* added to each set that has room for them */
    hpm_packing_fits *fits;       /* asked at most once for the same events */
    void *context;
};

struct hpm_packing {
    struct hpm_eventmask *sets;
    size_t n_sets;
    bool *is_lonely; /* per set: it has one event, beside which none of the
                        others fits */
    size_t *set_of;  /* per closure: a set that has all of it, or HPM_NO_SET: no
                       set has, so that its events are in several, or an event
                       does not fit even alone and is in none */
    size_t n_closures;
};

/* False when memory runs out. */
bool hpm_packing_make(struct hpm_packing *packing,
                      const struct hpm_packing_task *task,
                      struct hpm_error *err);
void hpm_packing_clear(struct hpm_packing *packing);

#endif
