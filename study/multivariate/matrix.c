/* SPDX-License-Identifier: BSD-3-Clause
 * Points as a matrix of numbers. */
#include "study/multivariate/matrix.h"

#include <stdint.h>

#include "host/memory.h"

bool
hpm_matrix_init(struct hpm_matrix *matrix, size_t n_rows, size_t n_columns)
{
    *matrix = (struct hpm_matrix){.n_rows = n_rows, .n_columns = n_columns};
    if (n_columns > 0 && n_rows > SIZE_MAX / 2 / n_columns)
        return false;
    matrix->values = hpm_memory_new(n_rows * n_columns + 1, sizeof(double));
    return matrix->values != NULL;
}

void
hpm_matrix_clear(struct hpm_matrix *matrix)
{
    hpm_memory_free(matrix->values);
    *matrix = (struct hpm_matrix){0};
}

bool
hpm_matrix_take_rows(struct hpm_matrix *ret_matrix,
                     const struct hpm_matrix *from, const size_t *rows,
                     size_t n)
{
    if (!hpm_matrix_init(ret_matrix, n, from->n_columns))
        return false;
    for (size_t j = 0; j < from->n_columns; j++) {
        const double *source = hpm_matrix_column(from, j);
        double *column = hpm_matrix_column(ret_matrix, j);

        for (size_t i = 0; i < n; i++)
            column[i] = source[rows[i]];
    }
    return true;
}

/* Column by column, two at a time: the sum for each row is added in the order of the
 * columns on every processor, so results are the same. */
void
hpm_matrix_distances(const struct hpm_matrix *matrix, size_t first, size_t n,
                     const double *point, double *restrict squares)
{
    size_t p = matrix->n_columns, j = 0;

    for (size_t i = 0; i < n; i++)
        squares[i] = 0.0;
    for (; j + 1 < p; j += 2) {
        const double *column = hpm_matrix_column(matrix, j) + first;
        const double *next = column + matrix->n_rows;
        double at = point[j], next_at = point[j + 1];

        for (size_t i = 0; i < n; i++)
            squares[i] = squares[i] + (column[i] - at) * (column[i] - at) +
                         (next[i] - next_at) * (next[i] - next_at);
    }
    if (j < p) {
        const double *column = hpm_matrix_column(matrix, j) + first;
        double at = point[j];

        for (size_t i = 0; i < n; i++)
            squares[i] += (column[i] - at) * (column[i] - at);
    }
}
