/* SPDX-License-Identifier: BSD-3-Clause
 * How well a counted proportion is known. */
#include "study/statistics/proportion.h"

#include <math.h>

void
hpm_proportion_interval(uint64_t n, uint64_t n_all, double *ret_low,
                        double *ret_high)
{
    const double z = 1.959963984540054; /* 97.5 % of a normal distribution */
    double size = (double)n_all, part = (double)n / size;
    double weight = 1.0 + z * z / size;
    double middle = (part + z * z / (2.0 * size)) / weight;
    double reach =
        z / weight *
        sqrt(part * (1.0 - part) / size + z * z / (4.0 * size * size));

    *ret_low = n == 0 ? 0.0 : middle - reach;
    *ret_high = n == n_all ? 1.0 : middle + reach;
}
