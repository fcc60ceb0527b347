/* SPDX-License-Identifier: BSD-3-Clause
 * Quantiles. */
#include "study/statistics/quantile.h"

#include <math.h>
#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void
hpm_quantile_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
}

double
hpm_quantile(const double *sorted, size_t n, double part)
{
    double at = part * (double)(n - 1);
    size_t below = (size_t)at;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] +
           (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double
hpm_quantile_median(const double *sorted, size_t n)
{
    return n % 2 == 1 ? sorted[n / 2]
                      : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

double
hpm_quantile_student(size_t freedom)
{
    static const double quantiles[] = {
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
        2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
        2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
        2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    const double z = 1.959964; /* of the normal distribution */
    double v = (double)freedom;

    if (freedom <= sizeof quantiles / sizeof quantiles[0])
        return quantiles[freedom - 1];
    /* Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5 */
    return z + (pow(z, 3) + z) / (4.0 * v) +
           (5.0 * pow(z, 5) + 16.0 * pow(z, 3) + 3.0 * z) / (96.0 * v * v);
}
