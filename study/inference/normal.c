/* SPDX-License-Identifier: BSD-3-Clause
 * The normal distribution. */
#include "study/inference/normal.h"

#include <math.h>

double
hpm_normal_tails(double distance)
{
    return erfc(fabs(distance) / sqrt(2.0));
}

double
hpm_normal_quantile(double part)
{
    double low = -40.0, high = 40.0;

    for (int i = 0; i < 80; i++) {
        double middle = (low + high) / 2.0;

        if (erfc(-middle / sqrt(2.0)) / 2.0 < part)
            low = middle;
        else
            high = middle;
    }
    return high;
}
