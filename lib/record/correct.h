/* SPDX-License-Identifier: BSD-3-Clause
 * Totals without the costs of measuring. */
#ifndef HPM_RECORD_CORRECT_H
#define HPM_RECORD_CORRECT_H

#include "record/calibration.h"
#include "record/calltree.h"

/* The costs with which a table was charged, and the final ones. */
struct hpm_correction {
    const struct hpm_costs *charged;
    const struct hpm_final *final;
    const struct hpm_final *threads; /* of a process: the costs of its threads,
                                      * which are in its overhead; else NULL */
};

/* A total, and the overhead subtracted from it. */
struct hpm_corrected {
    int64_t value;     /* below 0 where the overhead was overestimated */
    uint64_t overhead; /* value + overhead is the sum that was read */
};

/* Correct slot `slot` (charged ones only) of a sum of rows of that table.  The
 * sum contains the own reading (HPM_COST_SELF) of n_selves calls. */
struct hpm_corrected hpm_correct(const struct hpm_correction *correction,
                                 const struct hpm_calltree *tree,
                                 const uint64_t *sums, uint64_t n_selves,
                                 size_t slot);

/* The overhead of a counter that took turns.  `counted` was measured by the
 * counter itself, only while it was on, like its counts; `whole` is the rest,
 * which is known for the whole time. */
struct hpm_overhead_parts {
    uint64_t counted, whole;
};

struct hpm_overhead_parts
hpm_correct_parts(const struct hpm_correction *correction,
                  const struct hpm_calltree *tree, const uint64_t *sums,
                  uint64_t n_selves, size_t slot);

/* How far the overhead of time in that sum may be off, in ticks; `n_again` is
 * the number of starts in it of sections that were already open. */
double hpm_correct_uncertainty(const struct hpm_correction *correction,
                               const struct hpm_calltree *tree,
                               const uint64_t *sums, uint64_t n_selves,
                               uint64_t n_again);

/* How many calls have their own reading in a node's sums.  In the inclusive
 * sums: all calls.  In the exclusive sums the readings of sections inside are
 * missing, one for each start that is still in these sums. */
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
