/* SPDX-License-Identifier: BSD-3-Clause
 * Quantiles of the values that are numbers. */
#ifndef BENCH_STATISTIC_H
#define BENCH_STATISTIC_H

#include <stddef.h>

enum { BENCH_MAX_VALUES = 200 };

/* hpm_quantile of those that are numbers; NAN for none.  At most
 * BENCH_MAX_VALUES. */
double bench_quantile(const double *values, size_t n, double share);

static inline double
bench_median(const double *values, size_t n)
{
    return bench_quantile(values, n, 0.5);
}

#endif
