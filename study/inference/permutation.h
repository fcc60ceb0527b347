/* SPDX-License-Identifier: BSD-3-Clause
 * Do two groups of values differ?  A permutation test on ranks, which a single
 * outlier does not decide.
 *
 * Values that were measured together, in random order, are a block.  Under the
 * hypothesis that the group of a run makes no difference, all ways of
 * distributing the runs of a block over the groups have the same probability,
 * however slow the machine was during that block.  So the median of its block
 * is subtracted from each value, all values are ranked (ties have middle
 * ranks), and p is the part of all ways, block by block, whose sum of ranks is
 * at least as far from the mean, on either side, as the measured sum (J.  L.
 * Hodges and E.  L.  Lehmann, "Rank methods for combination of independent
 * experiments in analysis of variance", 1962).  With one block this is the test
 * of Wilcoxon, Mann and Whitney.
 *
 * All ways are counted where this does not take too long (about 45 values of
 * each group in blocks of 5, 28 in one block); for more values p is computed
 * with the normal distribution of the same variance, with a continuity
 * correction of half a step. */
#ifndef HPM_STUDY_INFERENCE_PERMUTATION_H
#define HPM_STUDY_INFERENCE_PERMUTATION_H

#include <stddef.h>

/* No value is NAN.  Block numbers never decrease from one value to the next;
 * NULL for both: all values are one block. */
struct hpm_permutation {
    const double *a, *b;
    size_t n_a, n_b;
    const size_t *block_a, *block_b;
};

/* The number of doubles that the functions need as working memory. */
size_t hpm_permutation_room(size_t n_a, size_t n_b);

/* The two-sided p; 1 where the values tell no difference between groups. */
double hpm_permutation_test(const struct hpm_permutation *groups, double *room);

/* The smallest shift of b that would be found at this level with 90 %
 * probability: half of the interval that inverts the test (the shifts on either
 * side of no difference at which p crosses the level), times 1 + z(90 %) / z(1
 * - level / 2), as for normally distributed values.  INFINITY where so few
 * values can show nothing at this level. */
double hpm_permutation_seen(const struct hpm_permutation *groups, double level,
                            double *room);

/* The smallest p that n values of each group can have, in blocks of `block`
 * values of each (0: in one block); for n up to 50. */
double hpm_permutation_clearest(size_t n, size_t block);

#endif
