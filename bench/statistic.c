/* SPDX-License-Identifier: BSD-3-Clause
 * Quantiles of the values that are numbers. */
#include "statistic.h"

#include <math.h>

#include "study/statistics/quantile.h"

double
bench_quantile(const double *values, size_t n, double share)
{
    double sorted[BENCH_MAX_VALUES];
    size_t n_sorted = 0;

    for (size_t i = 0; i < n && i < BENCH_MAX_VALUES; i++) {
        if (!isnan(values[i]))
            sorted[n_sorted++] = values[i];
    }
    if (n_sorted == 0)
        return NAN;
    hpm_quantile_sort(sorted, n_sorted);
    return hpm_quantile(sorted, n_sorted, share);
}
