/* SPDX-License-Identifier: BSD-3-Clause
 * Totals without what measuring added to them. */
#ifndef HPM_RECORD_CORRECT_H
#define HPM_RECORD_CORRECT_H

#include "record/calibration.h"
#include "record/calltree.h"

/* The costs with which a table was charged, and those that hold in the end. */
struct hpm_correction {
    const struct hpm_costs *charged;
    const struct hpm_costs *final;
    const struct hpm_calibration *calibration; /* for the uncertainty */
};

/* A total, and what was taken off it. */
struct hpm_corrected {
    int64_t value;     /* below 0 where the overhead was overestimated */
    uint64_t overhead; /* value + overhead is what was read */
};

/* Slot `slot` (charged ones only) of a sum of rows of that table, in which the
 * own reading (HPM_COST_SELF) of that many calls is. */
struct hpm_corrected hpm_correct(const struct hpm_correction *correction,
                                 const struct hpm_calltree *tree,
                                 const uint64_t *sums, uint64_t n_selves,
                                 size_t slot);

/* Of a counter that took turns: what was measured only while it was on, and
 * belongs to what it counted; and the rest, which is known of all the time. */
struct hpm_overhead_parts {
    uint64_t counted, whole;
};

struct hpm_overhead_parts
hpm_correct_parts(const struct hpm_correction *correction,
                  const struct hpm_calltree *tree, const uint64_t *sums,
                  uint64_t n_selves, size_t slot);

/* How far the overhead in that sum may be off: the median call costs more
 * than the fastest one, which is what is subtracted. */
uint64_t hpm_correct_uncertainty(const struct hpm_correction *correction,
                                 const struct hpm_calltree *tree,
                                 const uint64_t *sums, uint64_t n_selves,
                                 size_t slot);

/* Of how many calls the own reading is in a node's inclusive sums: all.  In
 * its exclusive sums those of the sections inside are missing, one for each
 * start that is left there. */
static inline uint64_t
hpm_correct_inclusive_selves(const struct hpm_node *node)
{
    return node->outer;
}

static inline uint64_t
hpm_correct_exclusive_selves(const struct hpm_calltree *tree,
                             const struct hpm_node *node)
{
    size_t starts = tree->n_row - HPM_N_EDGES;

    return node->outer - (node->inclusive[starts] - node->inner[starts]);
}

#endif
