/* SPDX-License-Identifier: BSD-3-Clause
 * Packing events that are needed together into few sets, each of which the
 * counters can hold at once.
 *
 *     closures                       sets
 *     {cycles, instructions}         1  cycles, instructions, loads, misses
 *     {loads, misses}                2  cycles, instructions, branches
 *     {branches}
 *
 * A closure is the set of events that one formula needs.  Closures of
 * differences are kept together, because a difference of counts of two runs can
 * be negative.  Closures of ratios are kept together as far as this needs no
 * more sets: a ratio of counts of two runs compares these runs.
 *
 * The method is first-fit decreasing: each closure goes to the set with which
 * it shares most events; then sets are emptied into others.  This is repeated
 * with other orders, and the smallest number of sets wins.  It is not proven to
 * be the minimum.  The same input gives the same sets.
 */
#ifndef HPM_STUDY_PLAN_PACKING_H
#define HPM_STUDY_PLAN_PACKING_H

#include "base/error.h"
#include "study/plan/eventmask.h"

#define HPM_NO_SET SIZE_MAX

struct hpm_closure {
    struct hpm_eventmask events;
    bool may_be_apart; /* if this saves a set */
};

/* Can these events be counted at once?  If so, any part of them can be, too. */
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
    bool *is_lonely; /* by set: it has one event, beside which none of the
                      * others fits */
    size_t *set_of;  /* by closure: a set that contains all of it, or
                      * HPM_NO_SET: its events are in several sets, or an event
                      * that does not fit even alone is in none */
    size_t n_closures;
};

/* Pack the closures.  False when memory runs out. */
bool hpm_packing_make(struct hpm_packing *packing,
                      const struct hpm_packing_task *task,
                      struct hpm_error *err);
void hpm_packing_clear(struct hpm_packing *packing);

#endif
