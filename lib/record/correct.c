/* SPDX-License-Identifier: BSD-3-Clause
 * Totals without what measuring added to them. */
#include "record/correct.h"

/* The overhead was made with the costs known then. */
static uint64_t
overhead(const struct hpm_correction *correction,
         const struct hpm_calltree *tree, const uint64_t *sums,
         uint64_t n_selves, size_t slot)
{
    const struct hpm_costs *charged = correction->charged;
    const struct hpm_costs *final = correction->final;
    uint64_t starts = sums[tree->n_row - 2], stops = sums[tree->n_row - 1];

    return sums[tree->n_slots + slot] +
           n_selves * final->amounts[HPM_COST_SELF][slot] +
           starts * (final->amounts[HPM_COST_START][slot] -
                     charged->amounts[HPM_COST_START][slot]) +
           stops * (final->amounts[HPM_COST_STOP][slot] -
                    charged->amounts[HPM_COST_STOP][slot]);
}

struct hpm_corrected
hpm_correct(const struct hpm_correction *correction,
            const struct hpm_calltree *tree, const uint64_t *sums,
            uint64_t n_selves, size_t slot)
{
    uint64_t taken = overhead(correction, tree, sums, n_selves, slot);

    if ((int64_t)taken < 0)
        taken = 0;
    return (struct hpm_corrected){(int64_t)(sums[slot] - taken), taken};
}

/* Edges were charged by constants, of which each was taken while the counter was
 * on; calls on the long way by what it counted itself. */
struct hpm_overhead_parts
hpm_correct_parts(const struct hpm_correction *correction,
                  const struct hpm_calltree *tree, const uint64_t *sums,
                  uint64_t n_selves, size_t slot)
{
    const struct hpm_costs *charged = correction->charged;
    uint64_t starts = sums[tree->n_row - 2], stops = sums[tree->n_row - 1];
    uint64_t by_constants = starts * charged->amounts[HPM_COST_START][slot] +
                            stops * charged->amounts[HPM_COST_STOP][slot];
    uint64_t all = overhead(correction, tree, sums, n_selves, slot);
    uint64_t counted = sums[tree->n_slots + slot] - by_constants;
    struct hpm_overhead_parts parts;

    parts.counted = (int64_t)counted > 0 ? counted : 0;
    parts.whole = (int64_t)(all - parts.counted) > 0 ? all - parts.counted : 0;
    return parts;
}

uint64_t
hpm_correct_uncertainty(const struct hpm_correction *correction,
                        const struct hpm_calltree *tree, const uint64_t *sums,
                        uint64_t n_selves, size_t slot)
{
    const struct hpm_spread *self = &correction->calibration->self[slot];
    const struct hpm_spread *pair = &correction->calibration->pair[slot];
    uint64_t edges = sums[tree->n_row - 2] + sums[tree->n_row - 1];

    return n_selves * (self->median - self->min) +
           edges * (pair->median - pair->min) / 2;
}
