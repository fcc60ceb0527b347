/* SPDX-License-Identifier: BSD-3-Clause
 * Eigenvalues of a symmetric matrix. */
#include "study/multivariate/jacobi.h"

#include <math.h>
#include <stdbool.h>

/* 5 to 10 sweeps are enough. */
enum { MOST_SWEEPS = 50 };

static void
rotate(double *a, double *b, size_t n, double cosine, double sine)
{
    for (size_t i = 0; i < n; i++) {
        double x = a[i], y = b[i];

        a[i] = cosine * x - sine * y;
        b[i] = sine * x + cosine * y;
    }
}

/* Make the number at (p, q) 0, by the smaller of the two possible angles. */
static void
annihilate(double *matrix, size_t n, size_t p, size_t q, double *vectors)
{
    double off = matrix[p * n + q];
    double a_pp = matrix[p * n + p], a_qq = matrix[q * n + q];
    double theta = (a_qq - a_pp) / (2.0 * off);
    double tangent =
        fabs(theta) > 1e150
            ? 0.5 / theta
            : copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double cosine = 1.0 / sqrt(tangent * tangent + 1.0);

    rotate(matrix + p * n, matrix + q * n, n, cosine, tangent * cosine);
    matrix[p * n + p] = a_pp - tangent * off;
    matrix[q * n + q] = a_qq + tangent * off;
    matrix[p * n + q] = matrix[q * n + p] = 0.0;
    for (size_t i = 0; i < n; i++) {
        matrix[i * n + p] = matrix[p * n + i];
        matrix[i * n + q] = matrix[q * n + i];
    }
    rotate(vectors + p * n, vectors + q * n, n, cosine, tangent * cosine);
}

/* False when nothing was left to do: numbers off the diagonal are too small to
 * change those on it. */
static bool
sweep(double *matrix, size_t n, double *vectors)
{
    bool has_rotated = false;

    for (size_t p = 0; p + 1 < n; p++) {
        for (size_t q = p + 1; q < n; q++) {
            double off = fabs(matrix[p * n + q]);
            double least =
                fmin(fabs(matrix[p * n + p]), fabs(matrix[q * n + q]));

            if (off == 0.0 || least + off * 0x1p-10 == least)
                continue;
            annihilate(matrix, n, p, q, vectors);
            has_rotated = true;
        }
    }
    return has_rotated;
}

/* Largest first; equal ones keep their order. */
static void
sort(double *values, double *vectors, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        size_t best = i;

        for (size_t k = i + 1; k < n; k++)
            best = values[k] > values[best] ? k : best;
        for (; best > i; best--) {
            double value = values[best];

            values[best] = values[best - 1];
            values[best - 1] = value;
            for (size_t j = 0; j < n; j++) {
                double one = vectors[best * n + j];

                vectors[best * n + j] = vectors[(best - 1) * n + j];
                vectors[(best - 1) * n + j] = one;
            }
        }
    }
}

static void
turn(double *vector, size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        best = fabs(vector[i]) > fabs(vector[best]) * (1.0 + 1e-9) ? i : best;
    for (size_t i = 0; i < n && vector[best] < 0.0; i++) {
        if (i != best)
            vector[i] = -vector[i];
    }
    vector[best] = fabs(vector[best]);
}

void
hpm_jacobi(double *matrix, size_t n, double *ret_values, double *ret_vectors)
{
    for (size_t i = 0; i < n * n; i++)
        ret_vectors[i] = i / n == i % n ? 1.0 : 0.0;
    for (int i = 0; i < MOST_SWEEPS && sweep(matrix, n, ret_vectors); i++)
        continue;
    for (size_t i = 0; i < n; i++)
        ret_values[i] = matrix[i * n + i];
    sort(ret_values, ret_vectors, n);
    for (size_t k = 0; k < n; k++)
        turn(ret_vectors + k * n, n);
}
