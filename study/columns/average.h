/* SPDX-License-Identifier: BSD-3-Clause
 * The weighted mean of some numbers: exact where all are counts or all are
 * seconds, and then an integer if the mean is one.  HPM_NUMBER_NONE takes no
 * part; without any other number the mean is none, too. */
#ifndef HPM_STUDY_COLUMNS_AVERAGE_H
#define HPM_STUDY_COLUMNS_AVERAGE_H

#include "study/store/number.h"

/* A mean being computed; start from {0}.  With doubles the last bit depends on
 * the order of the additions. */
struct hpm_average {
    __int128 exact;
    long double real;
    uint64_t weight;
    bool is_inexact;
    bool has_seconds;
};

void hpm_average_add(struct hpm_average *average, struct hpm_number number,
                     uint64_t weight);
struct hpm_number hpm_average_get(const struct hpm_average *average);

/* A number with its weight. */
struct hpm_weighted {
    struct hpm_number number;
    uint64_t weight;
};

/* The mean of n numbers, independent of their order.  Sorts the array. */
struct hpm_number hpm_average_of(struct hpm_weighted *numbers, size_t n);

#endif
