/* SPDX-License-Identifier: BSD-3-Clause
 * Totals without the costs of measuring. */
#include "record/correct.h"

#include <math.h>

static uint64_t
starts_of(const struct hpm_calltree *tree, const uint64_t *sums)
{
    return sums[tree->n_row - 2];
}

static uint64_t
stops_of(const struct hpm_calltree *tree, const uint64_t *sums)
{
    return sums[tree->n_row - 1];
}

/* Pairs of a start and a stop; below 0 if the pairs subtracted from a sum are
 * more than the pairs in it. */
static double
pairs_of(const struct hpm_calltree *tree, const uint64_t *sums)
{
    return (double)(int64_t)(starts_of(tree, sums) + stops_of(tree, sums)) / 2;
}

/* The overhead was summed up with the costs known at that time: replace these
 * by the final ones. */
static uint64_t
overhead_of_count(const struct hpm_correction *correction,
                  const struct hpm_calltree *tree, const uint64_t *sums,
                  uint64_t n_selves, size_t slot)
{
    const struct hpm_costs *charged = correction->charged;
    const struct hpm_costs *final = &correction->final->costs;

    return sums[tree->n_slots + slot] +
           n_selves * final->amounts[HPM_COST_SELF][slot] +
           starts_of(tree, sums) * (final->amounts[HPM_COST_START][slot] -
                                    charged->amounts[HPM_COST_START][slot]) +
           stops_of(tree, sums) * (final->amounts[HPM_COST_STOP][slot] -
                                   charged->amounts[HPM_COST_STOP][slot]);
}

/* Charged were whole ticks, and the costs found at init: add what is
 * missing. */
static uint64_t
overhead_of_time(const struct hpm_correction *correction,
                 const struct hpm_calltree *tree, const uint64_t *sums,
                 uint64_t n_selves)
{
    const struct hpm_final *final = correction->final;
    double more =
        (double)(int64_t)n_selves * final->timed[HPM_TIMED_SELF].middle +
        pairs_of(tree, sums) * (final->timed[HPM_TIMED_PAIR].middle -
                                final->charged[HPM_TIMED_PAIR]);

    return sums[tree->n_slots] + (uint64_t)llrint(more);
}

struct hpm_corrected
hpm_correct(const struct hpm_correction *correction,
            const struct hpm_calltree *tree, const uint64_t *sums,
            uint64_t n_selves, size_t slot)
{
    uint64_t taken =
        slot == 0 ? overhead_of_time(correction, tree, sums, n_selves)
                  : overhead_of_count(correction, tree, sums, n_selves, slot);

    if ((int64_t)taken < 0)
        taken = 0;
    return (struct hpm_corrected){(int64_t)(sums[slot] - taken), taken};
}

/* Starts and stops on the quick way were charged by constants, each measured
 * while the counter was on; calls on the long way by the counter itself. */
struct hpm_overhead_parts
hpm_correct_parts(const struct hpm_correction *correction,
                  const struct hpm_calltree *tree, const uint64_t *sums,
                  uint64_t n_selves, size_t slot)
{
    uint64_t by_constants = hpm_costs_of_edges(
        correction->charged, slot, starts_of(tree, sums), stops_of(tree, sums));
    uint64_t all = overhead_of_count(correction, tree, sums, n_selves, slot);
    uint64_t counted = sums[tree->n_slots + slot] - by_constants;
    struct hpm_overhead_parts parts;

    parts.counted = (int64_t)counted > 0 ? counted : 0;
    parts.whole = (int64_t)(all - parts.counted) > 0 ? all - parts.counted : 0;
    return parts;
}

/* For the pairs of threads inside a process section only their overhead is
 * known: their number is estimated from it. */
static double
uncertainty_of_threads(const struct hpm_final *threads, uint64_t overhead)
{
    struct hpm_timecost pair;
    double charged, n;

    if (threads == NULL || (int64_t)overhead <= 0)
        return 0;
    pair = threads->timed[HPM_TIMED_PAIR];
    charged = threads->charged[HPM_TIMED_PAIR];
    if (charged < 1)
        return 0;
    n = (double)overhead / charged;
    return hpm_timecost_uncertainty(pair, charged, n);
}

double
hpm_correct_uncertainty(const struct hpm_correction *correction,
                        const struct hpm_calltree *tree, const uint64_t *sums,
                        uint64_t n_selves, uint64_t n_again)
{
    const struct hpm_final *final = correction->final;
    const struct hpm_timecost *timed = final->timed;

    return hpm_timecost_uncertainty(timed[HPM_TIMED_SELF],
                                    timed[HPM_TIMED_SELF].middle,
                                    (double)n_selves) +
           hpm_timecost_uncertainty(timed[HPM_TIMED_PAIR],
                                    timed[HPM_TIMED_PAIR].middle,
                                    pairs_of(tree, sums)) +
           hpm_timecost_uncertainty(timed[HPM_TIMED_AGAIN],
                                    final->charged[HPM_TIMED_AGAIN],
                                    (double)n_again) +
           uncertainty_of_threads(correction->threads, sums[tree->n_slots]);
}
