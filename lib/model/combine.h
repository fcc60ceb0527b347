/* SPDX-License-Identifier: BSD-3-Clause
 * Several values of one counter in one section as one: their mean over runs,
 * their sum, their difference.  The order of the values does not matter, not
 * even to the last bit.
 */
#ifndef HPM_MODEL_COMBINE_H
#define HPM_MODEL_COMBINE_H

#include "model/study.h"

/* A value, and how often its section was called (outermost calls; NAN where
 * that is not known), which `mean` and `sdev` are over. */
struct hpm_combine_input {
    struct hpm_datum datum;
    double n_calls;
};

/* The mean over runs of n > 0 values, with the deviation, the smallest and the
 * largest.  An input that is a mean itself has the weight of its runs, so that
 * a mean of means is the mean of all.  What has no value does not take part;
 * where none has one, the worst state is kept.  `prefers_measured`: only the
 * values of the best state take part.  `inputs` come out in another order. */
void hpm_combine_mean(struct hpm_combine_input *inputs, size_t n,
                      bool prefers_measured, struct hpm_datum *ret_datum);

/* The sum of n > 0 values, as if the calls had been of one section.  One
 * without a value leaves none. */
void hpm_combine_sum(struct hpm_combine_input *inputs, size_t n,
                     struct hpm_datum *ret_datum);

/* b - a.  Where a side does not have the section at all (NULL), it counts as
 * zero; a value that is missing on one side leaves none. */
void hpm_combine_difference(const struct hpm_datum *a,
                            const struct hpm_datum *b,
                            struct hpm_datum *ret_datum);

/* A number that stands for so many. */
struct hpm_combine_weighted {
    struct hpm_number number;
    uint64_t weight;
};

/* The mean of n numbers: exact, and an integer if it is one, where all are
 * counts or all are seconds.  Those that are none do not take part; no number
 * without any.  They come out in another order. */
struct hpm_number hpm_combine_average(struct hpm_combine_weighted *numbers,
                                      size_t n);

#endif
