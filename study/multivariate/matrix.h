/* SPDX-License-Identifier: BSD-3-Clause
 * Points as a matrix of numbers: a row is a point, a column a measured
 * quantity.  A column is contiguous, so that a loop over points reads memory in
 * order. */
#ifndef HPM_STUDY_MULTIVARIATE_MATRIX_H
#define HPM_STUDY_MULTIVARIATE_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

struct hpm_matrix {
    size_t n_rows, n_columns;
    double *values; /* column by column */
};

/* A matrix of zeros; false when there is no memory. */
bool hpm_matrix_init(struct hpm_matrix *matrix, size_t n_rows,
                     size_t n_columns);
void hpm_matrix_clear(struct hpm_matrix *matrix);

static inline double *
hpm_matrix_column(const struct hpm_matrix *matrix, size_t column)
{
    return matrix->values + column * matrix->n_rows;
}

static inline double
hpm_matrix_get(const struct hpm_matrix *matrix, size_t row, size_t column)
{
    return matrix->values[column * matrix->n_rows + row];
}

/* Copy n of the rows, in this order; false when there is no memory. */
bool hpm_matrix_take_rows(struct hpm_matrix *ret_matrix,
                          const struct hpm_matrix *from, const size_t *rows,
                          size_t n);

/* The squared distances of the rows `first` to `first` + n - 1 from a point,
 * which has one value per column, in squares[0] to squares[n - 1], which are not
 * part of the matrix. */
void hpm_matrix_distances(const struct hpm_matrix *matrix, size_t first,
                          size_t n, const double *point,
                          double *restrict squares);

#endif
