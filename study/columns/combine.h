/* SPDX-License-Identifier: BSD-3-Clause
 * Several values of one counter in one section as one: their mean over runs
 * or their sum.  The order of the values does not matter, not
 * even to the last bit.
 */
#ifndef HPM_STUDY_COLUMNS_COMBINE_H
#define HPM_STUDY_COLUMNS_COMBINE_H

#include "study/columns/operand.h"

/* The mean over runs of n > 0 values, with the standard deviation of the runs
 * (divided by n - 1), the smallest and the largest.  An input that is a mean
 * itself has the weight of its runs, and its deviation is pooled with those of
 * the others, so that a mean of means is the mean of all.  Where such an input
 * does not tell its spread, the result has none.  What has no value does not
 * take part; where none has one, the worst state is kept.  `prefers_measured`:
 * only the values of the best state take part, and zeros of runs that counted
 * at least as well.  `inputs` come out in another order. */
void hpm_combine_mean(struct hpm_operand *inputs, size_t n,
                      bool prefers_measured, struct hpm_datum *ret_datum);

/* What a section that was not entered counted in so many runs: 0 of each number
 * that the inputs have; of no inputs, 0 events.  False where they have no
 * value. */
bool hpm_combine_zero(const struct hpm_operand *inputs, size_t n, uint64_t runs,
                      struct hpm_operand *ret_input);

/* The sum of n > 0 values, as if the calls had been of one section.  One that
 * has no value in its state leaves none.  One whose inclusive value was not
 * wanted (HPM_ONLY_EXCLUSIVE) stands in the sum with its exclusive value, and
 * the sum is partial and says how much of it that is.  Standard errors are
 * those of independent estimates, here and below; the error is not known where
 * one that was scaled up does not say its own.  Of means, deviation,
 * smallest and largest are bounds (HPM_FIELD_BOUNDS) unless only one of them
 * differs between runs; there are none where the numbers of runs differ. */
void hpm_combine_sum(struct hpm_operand *inputs, size_t n,
                     struct hpm_datum *ret_datum);

#endif
