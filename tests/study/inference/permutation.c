/* SPDX-License-Identifier: BSD-3-Clause
 * Permutation tests, several tests at once, intervals by the bootstrap, and
 * random numbers.  Expected values of p are from a small program that tries all
 * permutations (tests/cli/compare.py does this again). */
#include "study/inference/permutation.h"

#include <math.h>
#include <stdlib.h>

#include "study/inference/bootstrap.h"
#include "study/inference/holm.h"
#include "study/inference/normal.h"
#include "study/inference/random.h"
#include "tap.h"

enum { MOST = 200 };

static double *room;

static double
p_of(const double *a, size_t n_a, const double *b, size_t n_b,
     const size_t *blocks)
{
    struct hpm_permutation groups = {a, b, n_a, n_b, blocks, blocks};

    return hpm_permutation_test(&groups, room);
}

static const double drift_a[] = {0, 8, 1, 8, 3, 106, 105, 108, 104, 109, 2, 9};
static const double drift_b[] = {8,   5,   8,   10,  9,  108,
                                 105, 109, 108, 104, 13, 13};
static const size_t blocks[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2};

static void
test_exact(void)
{
    static const double a[] = {10, 20, 30, 40, 50, 60, 70};
    static const double b[] = {25, 45, 65, 66, 80, 81, 90};
    static const double ties[] = {20, 20, 65, 66, 80, 81};
    static const double low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10};

    is_near(p_of(a, 7, b, 7, NULL), 0.0728438228438228, 1e-13,
            "all ways of seven and seven");
    is_near(p_of(b, 7, a, 7, NULL), 0.0728438228438228, 1e-13,
            "and the other way round");
    is_near(p_of(a, 7, ties, 6, NULL), 0.293123543123543, 1e-13,
            "ties, and groups of two sizes");
    is_near(p_of(ties, 6, a, 7, NULL), 0.293123543123543, 1e-13,
            "and the other way round");
    is_near(p_of(low, 5, high, 5, NULL), 2.0 / 252, 1e-14,
            "the clearest of five and five is 2 of 252");
    is_near(hpm_permutation_clearest(5, 5), 2.0 / 252, 1e-14,
            "which is said without them");
    is_near(hpm_permutation_clearest(7, 5), 2.0 / (252 * 6), 1e-14,
            "five and two: 2 of 252 x 6");
    is_near(p_of(low, 5, low, 5, NULL), 1.0, 1e-14,
            "the same values tell nothing");
}

static void
test_blocks(void)
{
    is_near(p_of(drift_a, 12, drift_b, 12, blocks), 0.0310059208868733, 1e-13,
            "in blocks a slow time of the machine does not count");
    is_near(p_of(drift_a, 12, drift_b, 12, NULL), 0.309775027772066, 1e-13,
            "which as one group hides the difference");
    is_near(p_of(drift_a, 12, drift_b, 11, blocks), 0.0500125976316452, 1e-13,
            "a block may lack a run");
}

/* At the limit between exact and approximate levels. */
static void
test_many(void)
{
    struct hpm_random random = {3};
    double a[MOST], b[MOST], exact, far;

    for (size_t i = 0; i < MOST; i++) {
        a[i] = (double)hpm_random_below(&random, 1000000);
        b[i] = (double)hpm_random_below(&random, 1000000) + 150000;
    }
    exact = p_of(a, 28, b, 28, NULL);
    far = p_of(a, 29, b, 29, NULL);
    ok(exact < 0.05 && fabs(log(far / exact)) < 1.0,
       "where there are too many ways p goes on as before");
    is_near(far, 0.00512240833791, 1e-13, "and is that of the normal one");
    is_near(p_of(a, MOST, b, MOST, NULL), 0.00262358701379, 1e-13,
            "of many values, too");
}

static void
test_seen(void)
{
    static const double a[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct hpm_permutation groups = {a, a, 8, 8, NULL, NULL};
    struct hpm_permutation few = {a, a, 3, 3, NULL, NULL};
    double moved[8], seen = hpm_permutation_seen(&groups, 0.05, room);
    double found =
        seen / (1 + hpm_normal_quantile(0.9) / hpm_normal_quantile(0.975));

    for (int i = 0; i < 8; i++)
        moved[i] = a[i] + found * 1.001;
    ok(p_of(a, 8, moved, 8, NULL) <= 0.05,
       "values moved as far as the interval is wide differ");
    for (int i = 0; i < 8; i++)
        moved[i] = a[i] + found * 0.999;
    ok(p_of(a, 8, moved, 8, NULL) > 0.05, "less far they do not");
    ok(isinf(hpm_permutation_seen(&few, 0.05, room)),
       "of three and three nothing would be seen at 5 %");
}

static void
test_holm(void)
{
    double p[] = {0.01, NAN, 0.04, 0.03, 0.005}, same[] = {0.02, 0.02, 0.5};

    hpm_holm_adjust(p, 5, room);
    is_near(p[4], 0.02, 1e-15, "the smallest of four times 4");
    is_near(p[0], 0.03, 1e-15, "the next times 3");
    is_near(p[3], 0.06, 1e-15, "then times 2");
    is_near(p[2], 0.06, 1e-15, "none is less than the one before");
    ok(isnan(p[1]), "no test stays none, and does not count");
    hpm_holm_adjust(same, 3, room);
    ok(same[0] == 0.06 && same[1] == 0.06 && same[2] == 0.5,
       "equal ones have equal results");
}

static void
test_random(void)
{
    struct hpm_random random = {1234567};
    size_t order[] = {0, 1, 2, 3, 4}, seen = 0;

    ok(hpm_random_next(&random) == UINT64_C(6457827717110365317) &&
           hpm_random_next(&random) == UINT64_C(3203168211198807973),
       "SplitMix64 of a seed is what everybody has");
    hpm_random_shuffle(&random, order, 5);
    for (int i = 0; i < 5; i++)
        seen |= (size_t)1 << order[i];
    is_count(seen, 31, "an order has every number once");
}

static void
test_normal(void)
{
    is_near(hpm_normal_quantile(0.975), 1.959963985, 1e-9, "z of 97.5 %");
    is_near(hpm_normal_quantile(0.9), 1.281551566, 1e-9, "z of 90 %");
    is_near(hpm_normal_quantile(0.001), -3.090232306, 1e-9, "z of 0.1 %");
}

static void
test_bootstrap(void)
{
    static const double a[] = {10, 11, 12, 13, 14, 15};
    static const double b[] = {20, 22, 24, 26, 28, 30};
    struct hpm_bootstrap_pair pair = {a, b, 6, 6, true};
    struct hpm_bootstrap_pair few = {a, b, 5, 5, true};
    double low, high, again;

    hpm_bootstrap_ratio(&pair, 1, room, &low, &high);
    ok(low == 2.0 && high == 2.0, "drawn together, twice is twice");
    pair.is_paired = false;
    hpm_bootstrap_ratio(&pair, 1, room, &low, &high);
    ok(low > 1.4 && low < 1.9 && high > 2.1 && high < 2.8,
       "drawn apart there is an interval around it");
    again = low;
    hpm_bootstrap_ratio(&pair, 1, room, &low, &high);
    ok(low == again, "which the seed fixes");
    hpm_bootstrap_ratio(&few, 1, room, &low, &high);
    ok(isnan(low) && isnan(high), "five runs have no interval of 95 %");
}

int
main(void)
{
    size_t n = hpm_permutation_room(MOST, MOST) + HPM_BOOTSTRAP_TIMES;

    room = malloc(n * sizeof *room);
    test_exact();
    test_blocks();
    test_many();
    test_seen();
    test_holm();
    test_random();
    test_normal();
    test_bootstrap();
    free(room);
    return done();
}
