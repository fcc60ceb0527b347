/* SPDX-License-Identifier: BSD-3-Clause
 * The one statistic: quantiles. */
#include "statistic.h"

#include <math.h>
#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double
bench_quantile(const double *values, size_t n, double share)
{
    double sorted[BENCH_MAX_VALUES];
    size_t n_sorted = 0, below;
    double place;

    for (size_t i = 0; i < n && i < BENCH_MAX_VALUES; i++) {
        if (!isnan(values[i]))
            sorted[n_sorted++] = values[i];
    }
    if (n_sorted == 0)
        return NAN;
    qsort(sorted, n_sorted, sizeof *sorted, compare);
    place = share * (double)(n_sorted - 1);
    below = (size_t)place;
    if (below + 1 == n_sorted)
        return sorted[below];
    return sorted[below] +
           (place - (double)below) * (sorted[below + 1] - sorted[below]);
}
