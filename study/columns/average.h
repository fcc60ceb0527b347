/* SPDX-License-Identifier: BSD-3-Clause
 * The weighted mean of some numbers: exact, and an integer if it is one, where
 * all are counts or all are seconds.  Those that are none do not take part; no
 * number without any. */
#ifndef HPM_STUDY_COLUMNS_AVERAGE_H
#define HPM_STUDY_COLUMNS_AVERAGE_H

#include "study/store/number.h"

/* In the making; start from {0}.  The last bit depends on the order. */
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

/* A number that stands for so many. */
struct hpm_weighted {
    struct hpm_number number;
    uint64_t weight;
};

/* The mean of n numbers, whatever their order; they come out in another one. */
struct hpm_number hpm_average_of(struct hpm_weighted *numbers, size_t n);

#endif
