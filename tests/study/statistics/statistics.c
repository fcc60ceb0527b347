/* SPDX-License-Identifier: BSD-3-Clause
 * Mean, deviation, quantiles. */
#include <math.h>

#include "study/statistics/box.h"
#include "study/statistics/histogram.h"
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

static void
test_box(void)
{
    static const double values[] = {-9, 1, 2, 3, 4, 5, 6, 7, 30, 40};
    static const double same[] = {3, 3, 3, 3, 9};
    struct hpm_box box = hpm_box_of(values, 10);

    ok(box.lower == 2.25 && box.median == 4.5 && box.upper == 6.75,
       "a box has the quartiles and the median");
    ok(box.low == 1 && box.high == 7 && box.n_below == 1 && box.n_above == 2,
       "whiskers end at the last values within 1.5 boxes, others are beyond");
    box = hpm_box_of(same, 5);
    ok(box.low == 3 && box.high == 3 && box.n_below == 0 && box.n_above == 1,
       "beside a box without a height every other value is beyond");
    box = hpm_box_of(same, 1);
    ok(box.low == 3 && box.high == 3 && box.n_below + box.n_above == 0,
       "a single value has nothing beyond");
}

/* Is each value in the bin with the edges around it, and are all in some bin? */
static bool
fits(const struct hpm_histogram *histogram, const double *sorted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t bin = hpm_histogram_bin(histogram, sorted[i]);

        if (bin >= histogram->n_bins ||
            sorted[i] < hpm_histogram_edge(histogram, bin) ||
            sorted[i] >= hpm_histogram_edge(histogram, bin + 1))
            return false;
    }
    return true;
}

static void
test_histogram(void)
{
    static const double tenths[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
    static const double apart[] = {1, 1.1, 1.2, 1.3, 1e6};
    static const double below[] = {-7, -3, -2, 4};
    static const double same[] = {5, 5, 5};
    static const double most_same[] = {5, 5, 5, 5, 5, 5, 5, 5, 7};
    struct hpm_histogram bins = hpm_histogram_of(tenths, 7, 40);

    ok(hpm_histogram_round(0.3) == 0.5 && hpm_histogram_round(1) == 1 &&
           hpm_histogram_round(60) == 100,
       "widths are 1, 2 or 5 times a power of ten");
    /* 2 * 0.3 / cbrt(7) is 0.31 */
    ok(bins.width == 0.5 && bins.first == 0 && bins.n_bins == 2 &&
           fits(&bins, tenths, 7),
       "bins are as wide as the rule says, rounded up");
    bins = hpm_histogram_of(apart, 5, 40);
    ok(bins.n_bins <= 40 && fits(&bins, apart, 5),
       "a value far away does not make more bins than allowed");
    bins = hpm_histogram_of(below, 4, 40);
    ok(bins.first <= -7 && fits(&bins, below, 4), "values may be negative");
    bins = hpm_histogram_of(same, 3, 40);
    ok(bins.n_bins == 1 && fits(&bins, same, 3), "equal values are in one bin");
    bins = hpm_histogram_of(most_same, 9, 40);
    ok(bins.width == 1 && fits(&bins, most_same, 9),
       "without a distance of quartiles the range has as many bins as the root "
       "of n");
}

/* Edges are multiples that binary numbers do not have exactly. */
static void
test_edges(void)
{
    bool is_right = true;

    for (int step = 1; step <= 400; step++) {
        double values[50];

        for (int i = 0; i < 50; i++)
            values[i] = (i - 10) * (step / 100.0);
        struct hpm_histogram bins = hpm_histogram_of(values, 50, 40);

        is_right &= bins.n_bins <= 40 && fits(&bins, values, 50);
    }
    ok(is_right, "values on edges are in the bin that begins there");
}

int
main(void)
{
    test_summary();
    test_quantiles();
    test_student();
    test_poisson();
    test_box();
    test_histogram();
    test_edges();
    return done();
}
