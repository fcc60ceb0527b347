/* SPDX-License-Identifier: BSD-3-Clause
 * Mean, deviation, quantiles. */
#include <math.h>

#include "study/statistics/poisson.h"
#include "study/statistics/quantile.h"
#include "study/statistics/summary.h"
#include "tap.h"

static struct hpm_summary
summarise(const double *values, size_t n)
{
    struct hpm_summary summary = {0};

    for (size_t i = 0; i < n; i++)
        hpm_summary_add(&summary, values[i], (uint32_t)i);
    return summary;
}

static void
test_summary(void)
{
    static const double some[] = {3, NAN, 1, 8, 8, 0};
    static const double same[] = {0.1, 0.1, 0.1};
    static const double one[] = {8, 0, 0, 0};
    static const double signs[] = {-1, 2};
    struct hpm_summary summary = summarise(some, 6);

    is_count(summary.n, 5, "what has no value does not take part");
    is_near(summary.mean, 4.0, 1e-15, "the mean is over those that have one");
    is_near(hpm_summary_deviation(&summary), sqrt(58.0 / 5), 1e-14,
            "the deviation divides by their number");
    is_near(hpm_summary_sample_deviation(&summary), sqrt(58.0 / 4), 1e-14,
            "that of a sample by one less");
    ok(summary.min == 0 && summary.min_at == 5 && summary.max == 8 &&
           summary.max_at == 3,
       "smallest and largest, and the first who has them");
    is_near(hpm_summary_imbalance(&summary), 0.5, 1e-15,
            "imbalance is (max - mean) / max");
    summary = summarise(same, 3);
    ok(hpm_summary_imbalance(&summary) == 0.0 &&
           hpm_summary_deviation(&summary) < 1e-16,
       "equal values are balanced, whatever rounding does");
    summary = summarise(one, 4);
    is_near(hpm_summary_imbalance(&summary), 0.75, 1e-15,
            "one of four that does it all: 3/4");
    summary = summarise(signs, 2);
    ok(isnan(hpm_summary_imbalance(&summary)),
       "values below 0 have no imbalance");
    summary = summarise(NULL, 0);
    ok(isnan(hpm_summary_imbalance(&summary)) &&
           isnan(hpm_summary_deviation(&summary)) &&
           isnan(hpm_summary_sample_deviation(&summary)),
       "none have neither");
    summary = summarise(one, 1);
    ok(hpm_summary_deviation(&summary) == 0.0 &&
           isnan(hpm_summary_sample_deviation(&summary)),
       "one value deviates from nothing, and as a sample tells nothing");
}

static void
test_quantiles(void)
{
    double values[] = {9, 2, 4, 1};

    hpm_quantile_sort(values, 4);
    ok(values[0] == 1 && values[1] == 2 && values[2] == 4 && values[3] == 9,
       "values are sorted");
    ok(hpm_quantile_median(values, 4) == 3.0 &&
           hpm_quantile_median(values, 3) == 2.0 &&
           hpm_quantile_median(values, 1) == 1.0,
       "the median of an even number is the average of the two in the middle");
    ok(hpm_quantile(values, 4, 0.0) == 1.0 &&
           hpm_quantile(values, 4, 1.0) == 9.0 &&
           hpm_quantile(values, 1, 0.3) == 1.0,
       "the first and the last quantile are the smallest and the largest");
    is_near(hpm_quantile(values, 4, 0.5), 3.0, 1e-15,
            "a quantile between two values lies as far as its part says");
    is_near(hpm_quantile(values, 4, 0.9), 7.5, 1e-15, "and so another one");
}

/* Values of printed tables of Student's t (97.5 %). */
static void
test_student(void)
{
    static const struct {
        size_t freedom;
        double quantile;
    } known[] = {{1, 12.7062}, {2, 4.3027},   {9, 2.2622},
                 {30, 2.0423}, {31, 2.0395},  {40, 2.0211},
                 {60, 2.0003}, {120, 1.9799}, {1000, 1.9623}};
    bool is_good = true;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        is_good &= fabs(hpm_quantile_student(known[i].freedom) -
                        known[i].quantile) <= 0.0001;
    ok(is_good, "quantiles of Student's t are those of the tables");
}

/* The probability of n events if `expected` are expected. */
static double
chance_of(double expected, int n)
{
    return exp((double)n * log(expected) - expected - lgamma((double)n + 1.0));
}

/* The exact probability that the interval contains the truth, summed over all
 * counts on both sides. */
static double
covered(double before, double scale_before, double after, double scale_after)
{
    double chance = 0.0, truth = after * scale_after - before * scale_before;

    for (int a = 0; a < 120; a++) {
        for (int b = 0; b < 120; b++) {
            double low, high;

            hpm_poisson_difference((uint64_t)a, scale_before, (uint64_t)b,
                                   scale_after, &low, &high);
            if (low <= truth && truth <= high)
                chance += chance_of(before, a) * chance_of(after, b);
        }
    }
    return chance;
}

static void
test_poisson(void)
{
    static const double expected[][2] = {{0.5, 3}, {2, 2},   {5, 5},
                                         {20, 10}, {40, 40}, {3, 40}};
    double low, high, least = 1.0;

    hpm_poisson_interval(0, &low, &high);
    ok(low == 0.0 && high > 3.8 && high < 3.9,
       "of none some may have been to be expected");
    hpm_poisson_interval(100, &low, &high);
    ok(fabs(low - 82.23) < 0.01 && fabs(high - 121.62) < 0.01,
       "100 counted are 82 to 122 to be expected");
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double same = covered(expected[i][0], 1.0, expected[i][1], 1.0);
        double other = covered(expected[i][0], 2.0, expected[i][1], 0.5);

        least = fmin(least, fmin(same, other));
    }
    ok(least > 0.93,
       "the interval of a difference has the truth in 95 % of all "
       "cases, or nearly");
}

int
main(void)
{
    test_summary();
    test_quantiles();
    test_student();
    test_poisson();
    return done();
}
