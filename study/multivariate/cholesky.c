/* SPDX-License-Identifier: BSD-3-Clause
 * Symmetric matrices that are positive definite. */
#include "study/multivariate/cholesky.h"

#include <math.h>
#include <string.h>

/* Decompose into the lower triangle; false if the matrix is not positive
 * definite. */
static bool
decompose(double *matrix, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double *row = matrix + j * n;

        for (size_t i = 0; i <= j; i++) {
            double *other = matrix + i * n, sum = row[i];

            for (size_t k = 0; k < i; k++)
                sum -= row[k] * other[k];
            if (i < j)
                row[i] = sum / other[i];
            else if (sum > 0.0)
                row[i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

static void
solve(const double *triangle, size_t n, double *right)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            right[i] -= triangle[i * n + k] * right[k];
        right[i] /= triangle[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            right[i] -= triangle[k * n + i] * right[k];
        right[i] /= triangle[i * n + i];
    }
}

bool
hpm_cholesky_solve(double *matrix, size_t n, double *right)
{
    if (!decompose(matrix, n))
        return false;
    solve(matrix, n, right);
    return true;
}

bool
hpm_cholesky_inverse_diagonal(const double *matrix, size_t n,
                              double *ret_diagonal, double *room)
{
    double *column = room + n * n;

    memcpy(room, matrix, n * n * sizeof *room);
    if (!decompose(room, n))
        return false;
    for (size_t j = 0; j < n; j++) {
        memset(column, 0, n * sizeof *column);
        column[j] = 1.0;
        solve(room, n, column);
        ret_diagonal[j] = column[j];
    }
    return true;
}

/* Take a column, and subtract from the others what it explains. */
static void
eliminate(double *matrix, size_t n, size_t pivot, const bool *is_left)
{
    double variance = matrix[pivot * n + pivot];

    for (size_t i = 0; i < n; i++) {
        double part = matrix[i * n + pivot] / variance;

        for (size_t j = 0; j < n && is_left[i]; j++) {
            if (is_left[j])
                matrix[i * n + j] -= part * matrix[pivot * n + j];
        }
    }
}

size_t
hpm_cholesky_find_dependent(double *matrix, size_t n, double tolerance,
                            bool *ret_is_dependent)
{
    size_t n_left = n;

    for (size_t j = 0; j < n; j++)
        ret_is_dependent[j] = true;
    while (n_left > 0) {
        size_t best = n;

        for (size_t j = 0; j < n; j++) {
            if (ret_is_dependent[j] &&
                (best == n || matrix[j * n + j] > matrix[best * n + best]))
                best = j;
        }
        if (matrix[best * n + best] <= tolerance)
            break;
        ret_is_dependent[best] = false;
        eliminate(matrix, n, best, ret_is_dependent);
        n_left--;
    }
    return n_left;
}
