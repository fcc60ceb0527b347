/* SPDX-License-Identifier: BSD-3-Clause
 * The spread of values over several runs. */
#ifndef HPMCOUNT_SPREAD_H
#define HPMCOUNT_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "study/store/number.h"

struct spread {
    size_t n;
    double mean;
    double deviation; /* of the sample (divided by n - 1); NAN for fewer than 2
                       * values */
    double minimum;
    double maximum;
    double median;
    /* the same without the divisor, as exact as the values were */
    struct hpm_number exact_mean, exact_minimum, exact_maximum, exact_median;
    double low;  /* 95 % interval of the mean, by Student's t; NAN */
    double high; /* for fewer than 2 values */
};

/* With fewer values there are no outliers. */
enum { SPREAD_OUTLIERS_FROM = 5 };

/* The spread of n values, at least one, each divided by `divisor`.  Mean and
 * deviation are equal, to the last bit, to those of hpm mean for the files of
 * these runs.  `is_outlier` gets a flag for each value: its modified z-score is
 * above 3.5 (Iglewicz and Hoaglin, How to Detect and Handle Outliers, ASQC
 * 1993: 0.6745 times the distance from the median over the median of those
 * distances; where that is 0, the distance over 1.253314 times their mean).
 * False when there is no memory. */
bool spread_find(struct spread *ret_spread, bool *is_outlier,
                 const struct hpm_number *values, double divisor, size_t n);

#endif
