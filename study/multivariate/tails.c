/* SPDX-License-Identifier: BSD-3-Clause
 * The upper tails of F and chi square, by the incomplete beta and gamma
 * functions (Abramowitz and Stegun, "Handbook of mathematical functions",
 * 26.5.8, 6.5.29, 6.5.31). */
#include "study/multivariate/tails.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Limit of terms of continued fractions and series; they need a few hundred at
 * most. */
enum { MOST_TERMS = 10000 };

/* A continued fraction a1/(b1 + a2/(b2 + ...)) from its front (Lentz's method):
 * step() takes one pair a, b after the other. */
struct fraction {
    double value, c, d;
};

static void
begin(struct fraction *fraction)
{
    *fraction = (struct fraction){DBL_MIN, DBL_MIN, 0.0};
}

/* False when the pair did not change the value any more. */
static bool
step(struct fraction *fraction, double a, double b)
{
    double change;

    fraction->d = b + a * fraction->d;
    fraction->c = b + a / fraction->c;
    fraction->d = 1.0 / (fraction->d != 0.0 ? fraction->d : DBL_MIN);
    fraction->c = fraction->c != 0.0 ? fraction->c : DBL_MIN;
    change = fraction->c * fraction->d;
    fraction->value *= change;
    return fabs(change - 1.0) > DBL_EPSILON;
}

/* The part of the beta function below x, for x at most about a / (a + b). */
static double
beta_fraction(double a, double b, double x)
{
    struct fraction fraction;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
                       b * log1p(-x)) /
                   a;

    begin(&fraction);
    step(&fraction, 1.0, 1.0);
    for (int i = 1; i < MOST_TERMS; i++) {
        double m = i / 2;
        double term =
            i % 2 == 0
                ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

        if (!step(&fraction, term, 1.0))
            break;
    }
    return front * fraction.value;
}

double
hpm_tails_f(double f, double above, double below)
{
    double x;

    if (!(f > 0.0))
        return 1.0;
    if (isinf(f))
        return 0.0;
    x = below / (below + above * f);
    if (x <= (below + 2.0) / (above + below + 4.0))
        return beta_fraction(below / 2.0, above / 2.0, x);
    return 1.0 - beta_fraction(above / 2.0, below / 2.0,
                               above * f / (below + above * f));
}

double
hpm_tails_chi_square(double chi_square, double freedom)
{
    double a = freedom / 2.0, x = chi_square / 2.0;
    double front, term = 1.0, sum = 1.0;
    struct fraction fraction;

    if (!(x > 0.0))
        return 1.0;
    front = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1.0) {
        for (int i = 1; i < MOST_TERMS && term > sum * DBL_EPSILON; i++) {
            term *= x / (a + i);
            sum += term;
        }
        return 1.0 - front / a * sum;
    }
    begin(&fraction);
    step(&fraction, 1.0, x + 1.0 - a);
    for (int i = 1; i < MOST_TERMS; i++) {
        if (!step(&fraction, -i * (i - a), x + 2.0 * i + 1.0 - a))
            break;
    }
    return front * fraction.value;
}

/* By bisection: it is called rarely. */
double
hpm_tails_chi_square_quantile(double tail, double freedom)
{
    double low = 0.0, high = freedom + 1.0;

    while (hpm_tails_chi_square(high, freedom) > tail)
        high *= 2.0;
    for (int i = 0; i < 200; i++) {
        double middle = low + (high - low) / 2.0;

        if (hpm_tails_chi_square(middle, freedom) > tail)
            low = middle;
        else
            high = middle;
    }
    return high;
}
