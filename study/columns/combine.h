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
 * itself has the weight of its runs, and its deviation is pooled with the
 * deviations of the others, so that a mean of means is the mean of all.  Where
 * such an input does not tell its spread, the result has no spread.  An input
 * without value does not take part; where no input has a value, the worst state
 * is kept.  `prefers_measured`: only the values of the best state take part,
 * and zeros of runs that counted at least as well.  Changes the order of
 * `inputs`. */
void hpm_combine_mean(struct hpm_operand *inputs, size_t n,
                      bool prefers_measured, struct hpm_datum *ret_datum);

/* What a section that was not entered counted in `runs` runs: 0 for each number
 * that the inputs have; without inputs, 0 events.  False where the inputs have
 * no value. */
bool hpm_combine_zero(const struct hpm_operand *inputs, size_t n, uint64_t runs,
                      struct hpm_operand *ret_input);

/* The sum of n > 0 values, as if all calls had been calls of one section.  If
 * one input has no value, the sum has none.  If one has no inclusive value
 * (HPM_ONLY_EXCLUSIVE), its exclusive value is added in its place: the sum is
 * partial and says how much of it was added so.  Standard errors are those of
 * independent estimates, here and below; the error is not known where a scaled
 * value does not say its own.  For means, the deviation, smallest and largest
 * are bounds (HPM_FIELD_BOUNDS) unless only one input differs between runs;
 * there are none where the inputs have different numbers of runs. */
void hpm_combine_sum(struct hpm_operand *inputs, size_t n,
                     struct hpm_datum *ret_datum);

#endif
