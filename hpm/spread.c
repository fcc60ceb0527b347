/* SPDX-License-Identifier: BSD-3-Clause
 * How some values are spread. */
#include "hpm/spread.h"

#include <math.h>
#include <stdlib.h>

static int
compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

struct residual_spread
spread_of(uint64_t *values, size_t n)
{
    double mean = 0, squares = 0; /* Welford's recurrence */

    qsort(values, n, sizeof *values, compare);
    for (size_t i = 0; i < n; i++) {
        double step = (double)values[i] - mean;

        mean += step / (double)(i + 1);
        squares += step * ((double)values[i] - mean);
    }
    return (struct residual_spread){
        values[0], values[n / 2], values[n - 1], mean,
        n > 1 ? sqrt(squares / (double)(n - 1)) : NAN};
}
