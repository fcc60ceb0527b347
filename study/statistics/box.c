/* SPDX-License-Identifier: BSD-3-Clause
 * Box plots: J. W. Tukey, Exploratory Data Analysis, 1977, chapter 2; with
 * quartiles in place of his hinges. */
#include "study/statistics/box.h"

#include "study/statistics/quantile.h"

struct hpm_box
hpm_box_of(const double *sorted, size_t n)
{
    struct hpm_box box = {.lower = hpm_quantile(sorted, n, 0.25),
                          .median = hpm_quantile_median(sorted, n),
                          .upper = hpm_quantile(sorted, n, 0.75)};
    double reach = 1.5 * (box.upper - box.lower);

    while (box.n_below < n && sorted[box.n_below] < box.lower - reach)
        box.n_below++;
    while (box.n_above + box.n_below < n &&
           sorted[n - 1 - box.n_above] > box.upper + reach)
        box.n_above++;
    box.low = sorted[box.n_below];
    box.high = sorted[n - 1 - box.n_above];
    return box;
}
