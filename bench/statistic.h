/* SPDX-License-Identifier: BSD-3-Clause
 * The one statistic: quantiles. */
#ifndef BENCH_STATISTIC_H
#define BENCH_STATISTIC_H

#include <stddef.h>

enum { BENCH_MAX_VALUES = 200 };

/* The value at that share (0 least, 0.5 median, 1 most) of those that are
 * numbers, between two of them by proportion; NAN for none.  At most
 * BENCH_MAX_VALUES. */
double bench_quantile(const double *values, size_t n, double share);

static inline double
bench_median(const double *values, size_t n)
{
    return bench_quantile(values, n, 0.5);
}

#endif
