/* SPDX-License-Identifier: BSD-3-Clause
 * Rotation of factors. */
#include "study/multivariate/varimax.h"

#include <math.h>

#include "host/memory.h"

enum { MOST_SWEEPS = 1000 };

static void
turn_pair(double *loadings, size_t n, size_t m, size_t a, size_t b,
          double angle)
{
    double cosine = cos(angle), sine = sin(angle);

    for (size_t j = 0; j < n; j++) {
        double x = loadings[j * m + a], y = loadings[j * m + b];

        loadings[j * m + a] = cosine * x + sine * y;
        loadings[j * m + b] = cosine * y - sine * x;
    }
}

/* The angle that maximizes the variance of the squared loadings of two
 * factors. */
static double
best_angle(const double *loadings, size_t n, size_t m, size_t a, size_t b)
{
    double sum_u = 0.0, sum_v = 0.0, sum_c = 0.0, sum_d = 0.0;

    for (size_t j = 0; j < n; j++) {
        double x = loadings[j * m + a], y = loadings[j * m + b];
        double u = x * x - y * y, v = 2.0 * x * y;

        sum_u += u;
        sum_v += v;
        sum_c += u * u - v * v;
        sum_d += 2.0 * u * v;
    }
    return atan2(sum_d - 2.0 * sum_u * sum_v / (double)n,
                 sum_c - (sum_u * sum_u - sum_v * sum_v) / (double)n) /
           4.0;
}

/* True when nothing was turned any more. */
static bool
sweep(double *loadings, size_t n, size_t m)
{
    double largest = 0.0;

    for (size_t a = 0; a < m; a++) {
        for (size_t b = a + 1; b < m; b++) {
            double angle = best_angle(loadings, n, m, a, b);

            turn_pair(loadings, n, m, a, b, angle);
            largest = fmax(largest, fabs(angle));
        }
    }
    return largest < 1e-12;
}

static double
sum_of(const double *loadings, size_t n, size_t m, size_t k, bool is_squared)
{
    double sum = 0.0;

    for (size_t j = 0; j < n; j++)
        sum += is_squared ? loadings[j * m + k] * loadings[j * m + k]
                          : loadings[j * m + k];
    return sum;
}

static void
swap_factors(double *loadings, size_t n, size_t m, size_t a, size_t b)
{
    for (size_t j = 0; j < n; j++) {
        double other = loadings[j * m + a];

        loadings[j * m + a] = loadings[j * m + b];
        loadings[j * m + b] = other;
    }
}

static void
put_in_order(double *loadings, size_t n, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        size_t best = i;

        for (size_t k = i + 1; k < m; k++) {
            if (sum_of(loadings, n, m, k, true) >
                sum_of(loadings, n, m, best, true))
                best = k;
        }
        swap_factors(loadings, n, m, i, best);
        if (sum_of(loadings, n, m, i, false) >= 0.0)
            continue;
        for (size_t j = 0; j < n; j++)
            loadings[j * m + i] = -loadings[j * m + i];
    }
}

bool
hpm_varimax(double *loadings, size_t n, size_t m)
{
    double *lengths = hpm_memory_new(n + 1, sizeof *lengths);

    if (lengths == NULL)
        return false;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < m; k++)
            lengths[j] += loadings[j * m + k] * loadings[j * m + k];
        lengths[j] = lengths[j] > 0.0 ? sqrt(lengths[j]) : 1.0;
        for (size_t k = 0; k < m; k++)
            loadings[j * m + k] /= lengths[j];
    }
    for (int i = 0; i < MOST_SWEEPS && m > 1; i++) {
        if (sweep(loadings, n, m))
            break;
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < m; k++)
            loadings[j * m + k] *= lengths[j];
    }
    put_in_order(loadings, n, m);
    hpm_memory_free(lengths);
    return true;
}
