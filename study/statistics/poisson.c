/* SPDX-License-Identifier: BSD-3-Clause
 * How well a random count is known. */
#include "study/statistics/poisson.h"

#include <math.h>

void
hpm_poisson_interval(uint64_t n, double *ret_low, double *ret_high)
{
    const double z = 1.959963984540054; /* 97.5 % of a normal distribution */
    double middle = (double)n + z * z / 2.0;
    double reach = z * sqrt((double)n + z * z / 4.0);

    *ret_low = n == 0 ? 0.0 : middle - reach;
    *ret_high = middle + reach;
}

void
hpm_poisson_difference(uint64_t a, double scale_a, uint64_t b, double scale_b,
                       double *ret_low, double *ret_high)
{
    double low_a, high_a, low_b, high_b;
    double difference = (double)b * scale_b - (double)a * scale_a;

    hpm_poisson_interval(a, &low_a, &high_a);
    hpm_poisson_interval(b, &low_b, &high_b);
    *ret_low = difference - hypot(((double)b - low_b) * scale_b,
                                  (high_a - (double)a) * scale_a);
    *ret_high = difference + hypot((high_b - (double)b) * scale_b,
                                   ((double)a - low_a) * scale_a);
}
