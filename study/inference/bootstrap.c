/* SPDX-License-Identifier: BSD-3-Clause
 * The confidence interval of a ratio of medians. */
#include "study/inference/bootstrap.h"

#include <math.h>

#include "study/statistics/quantile.h"
#include "study/inference/random.h"

static double
median_of(double *values, size_t n)
{
    hpm_quantile_sort(values, n);
    return hpm_quantile_median(values, n);
}

/* The ratio of medians of runs drawn with replacement. */
static double
draw(const struct hpm_bootstrap_pair *pair, struct hpm_random *random,
     double *a, double *b)
{
    double base;

    for (size_t i = 0; i < pair->n_a; i++) {
        size_t at = hpm_random_below(random, pair->n_a);

        a[i] = pair->a[at];
        if (pair->is_paired)
            b[i] = pair->b[at];
    }
    for (size_t i = 0; i < pair->n_b && !pair->is_paired; i++)
        b[i] = pair->b[hpm_random_below(random, pair->n_b)];
    base = median_of(a, pair->n_a);
    return base != 0.0 ? median_of(b, pair->n_b) / base : NAN;
}

void
hpm_bootstrap_ratio(const struct hpm_bootstrap_pair *pair, uint64_t seed,
                    double *room, double *ret_low, double *ret_high)
{
    struct hpm_random random = {seed};
    double *a = room, *b = a + pair->n_a, *ratios = b + pair->n_b;

    *ret_low = *ret_high = NAN;
    if (pair->n_a < HPM_BOOTSTRAP_LEAST || pair->n_b < HPM_BOOTSTRAP_LEAST)
        return;
    for (size_t i = 0; i < HPM_BOOTSTRAP_TIMES; i++) {
        ratios[i] = draw(pair, &random, a, b);
        if (isnan(ratios[i]))
            return;
    }
    hpm_quantile_sort(ratios, HPM_BOOTSTRAP_TIMES);
    *ret_low = hpm_quantile(ratios, HPM_BOOTSTRAP_TIMES, 0.025);
    *ret_high = hpm_quantile(ratios, HPM_BOOTSTRAP_TIMES, 0.975);
}
