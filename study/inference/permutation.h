/* SPDX-License-Identifier: BSD-3-Clause
 * Do two groups of values differ?  A permutation test on ranks, which no single
 * far value decides.
 *
 * Values that were measured together, in an order by chance, are a block.  Under
 * the hypothesis that it makes no difference which group a run is of, all ways to
 * give the runs of a block to the groups are as likely, however slow the machine
 * was during that block.  So each value is taken less the median of its block,
 * all are ranked (ties have middle ranks), and p is the part of all ways, block
 * by block, whose sum of ranks is at least as far from the middle as the one
 * measured, on either side (J. L. Hodges and E. L. Lehmann, "Rank methods for
 * combination of independent experiments in analysis of variance", 1962).  With
 * one block it is the test of Wilcoxon, Mann and Whitney.
 *
 * All ways are counted out where that takes not too long (about 45 values of each
 * group in blocks of 5, 28 in one block); with more values p is that of the
 * normal distribution with the same variance, half a step off. */
#ifndef HPM_STUDY_INFERENCE_PERMUTATION_H
#define HPM_STUDY_INFERENCE_PERMUTATION_H

#include <stddef.h>

/* No value is NAN.  Numbers of blocks rise or stay from one value to the next;
 * NULL for both: all are one block. */
struct hpm_permutation {
    const double *a, *b;
    size_t n_a, n_b;
    const size_t *block_a, *block_b;
};

/* How many doubles the functions want to work in. */
size_t hpm_permutation_room(size_t n_a, size_t n_b);

/* p, both sides; 1 where there is nothing to tell groups by. */
double hpm_permutation_test(const struct hpm_permutation *groups, double *room);

/* The smallest shift of b that would have been seen at this level with 90 %
 * probability: the half-width of the interval that inverts the test (where p
 * crosses the level on either side of no difference), times 1 + z(90 %) /
 * z(1 - level / 2), as normally distributed values want it.  INFINITY where so
 * few values can show nothing at this level. */
double hpm_permutation_seen(const struct hpm_permutation *groups, double level,
                            double *room);

/* The p of the clearest result that n values of each group can have, in blocks of
 * so many of each (0: in one block); for n up to 50. */
double hpm_permutation_clearest(size_t n, size_t block);

#endif
