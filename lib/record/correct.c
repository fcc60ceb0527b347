/* SPDX-License-Identifier: BSD-3-Clause
 * Totals without what measuring added to them. */
#include "record/correct.h"

/* How many edges of each kind are in a sum. */
struct edges {
    uint64_t starts, stops, windows;
};

static struct edges
edges_of(const struct hpm_forest *forest, const uint64_t *sums)
{
    const uint64_t *edges = sums + forest->n_row - HPM_N_EDGES;

    return (struct edges){edges[0], edges[1], edges[2]};
}

/* The charge was made with the costs known then. */
static uint64_t
overhead(const struct hpm_correction *correction,
         const struct hpm_forest *forest, const uint64_t *sums, size_t slot)
{
    const struct hpm_costs *charged = correction->charged;
    const struct hpm_costs *final = correction->final;
    struct edges edges = edges_of(forest, sums);

    return sums[forest->n_slots + slot] +
           edges.windows * final->amounts[HPM_COST_SELF][slot] +
           edges.starts * (final->amounts[HPM_COST_START][slot] -
                           charged->amounts[HPM_COST_START][slot]) +
           edges.stops * (final->amounts[HPM_COST_STOP][slot] -
                          charged->amounts[HPM_COST_STOP][slot]);
}

struct hpm_corrected
hpm_correct(const struct hpm_correction *correction,
            const struct hpm_forest *forest, const uint64_t *sums, size_t slot)
{
    uint64_t taken = overhead(correction, forest, sums, slot);

    if ((int64_t)taken < 0)
        taken = 0;
    if (taken > sums[slot])
        return (struct hpm_corrected){0, sums[slot], true};
    return (struct hpm_corrected){sums[slot] - taken, taken, false};
}

uint64_t
hpm_correct_uncertainty(const struct hpm_correction *correction,
                        const struct hpm_forest *forest, const uint64_t *sums,
                        size_t slot)
{
    const struct hpm_spread *self = &correction->calibration->self[slot];
    const struct hpm_spread *pair = &correction->calibration->pair[slot];
    struct edges edges = edges_of(forest, sums);

    return edges.windows * (self->median - self->min) +
           (edges.starts + edges.stops) * (pair->median - pair->min) / 2;
}
