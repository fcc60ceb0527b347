/* SPDX-License-Identifier: BSD-3-Clause
 * The spread of values of several runs. */
#include "hpmcount/spread.h"

#include <math.h>
#include <stdlib.h>

#include "host/memory.h"
#include "tap.h"

static bool
agrees(double got, double expected, double tolerance)
{
    if (fabs(got - expected) <= tolerance)
        return true;
    printf("# got %.12g, expected %.12g\n", got, expected);
    return false;
}

static bool
find(struct spread *ret_spread, bool *is_outlier, const double *values,
     size_t n)
{
    struct hpm_number numbers[1000];

    for (size_t i = 0; i < n; i++)
        numbers[i] = hpm_number_real(values[i]);
    return spread_find(ret_spread, is_outlier, numbers, 1.0, n);
}

static void
test_known(void)
{
    const double values[] = {5, 2, 9, 4, 7, 4, 5, 4};
    bool is_outlier[8];
    struct spread spread;

    ok(find(&spread, is_outlier, values, 8), "eight values");
    ok(spread.n == 8 && spread.minimum == 2 && spread.maximum == 9 &&
           spread.median == 4.5,
       "their number, least, largest and middle");
    ok(agrees(spread.mean, 5, 1e-12) &&
           agrees(spread.deviation, sqrt(32.0 / 7.0), 1e-12),
       "their mean and deviation");
    /* 2.3646 * 2.13809 / sqrt(8) */
    ok(agrees(spread.high - spread.mean, 1.78747, 1e-4) &&
           agrees(spread.mean - spread.low, 1.78747, 1e-4),
       "the interval of the mean");
}

static void
test_few(void)
{
    const double one = 3, two[] = {1, 3};
    bool is_outlier[2];
    struct spread spread;

    find(&spread, is_outlier, &one, 1);
    ok(spread.mean == 3 && spread.median == 3 && isnan(spread.deviation) &&
           isnan(spread.low) && isnan(spread.high) && !is_outlier[0],
       "one value has a mean, but no deviation and no interval");
    find(&spread, is_outlier, two, 2);
    ok(agrees(spread.high, 2 + 12.7062, 1e-3), "two have both");
}

/* 10^9 plus or minus a half: sums of squares would lose the difference. */
static void
test_cancellation(void)
{
    double values[1000];
    bool is_outlier[1000];
    struct spread spread;

    for (int i = 0; i < 1000; i++)
        values[i] = 1e9 + (i % 2 == 0 ? 0.5 : -0.5);
    find(&spread, is_outlier, values, 1000);
    ok(agrees(spread.mean, 1e9, 1e-6) &&
           agrees(spread.deviation, sqrt(250.0 / 999.0), 1e-9),
       "small differences of large values are not lost");
}

/* Nanoseconds as they were counted: exact as long as they are integers. */
static void
test_divided(void)
{
    const struct hpm_number values[] = {hpm_number_count(UINT64_MAX),
                                        hpm_number_count(UINT64_MAX - 2)};
    bool is_outlier[2];
    struct spread spread;

    spread_find(&spread, is_outlier, values, 1e9, 2);
    ok(spread.mean == (double)(UINT64_MAX - 1) / 1e9 &&
           spread.deviation == sqrt(2) / 1e9,
       "large counts that differ little are told apart, and divided last");
}

static size_t
count_outliers(const double *values, size_t n, size_t *ret_last)
{
    bool is_outlier[16];
    struct spread spread;
    size_t count = 0;

    find(&spread, is_outlier, values, n);
    for (size_t i = 0; i < n; i++) {
        if (is_outlier[i]) {
            *ret_last = i;
            count++;
        }
    }
    return count;
}

static void
test_outliers(void)
{
    /* like the example of Iglewicz and Hoaglin: a misplaced decimal point */
    const double slip[] = {2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 26.0, 2.5, 2.4};
    const double same[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 8};
    const double equal[] = {7, 7, 7, 7, 7};
    const double four[] = {1, 1, 1, 100};
    size_t last = 99;

    ok(count_outliers(slip, 10, &last) == 1 && last == 7,
       "one far from the others is an outlier");
    ok(count_outliers(same, 10, &last) == 1 && last == 9,
       "also where all the others are equal");
    ok(count_outliers(equal, 5, &last) == 0, "equal values are none");
    ok(count_outliers(four, 4, &last) == 0, "four values show none");
}

static void
test_memory(void)
{
    const double one = 1;
    bool is_outlier;
    struct spread spread;

    for (unsigned long i = 1; i < 3; i++) {
        hpm_memory_fail_at(i, false);
        ok(!find(&spread, &is_outlier, &one, 1),
           "without memory there is no spread");
        hpm_memory_fail_at(0, false);
    }
}

int
main(void)
{
    test_known();
    test_few();
    test_cancellation();
    test_divided();
    test_outliers();
    test_memory();
    return done();
}
