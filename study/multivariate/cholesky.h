/* SPDX-License-Identifier: BSD-3-Clause
 * Symmetric matrices that are positive definite, or nearly so: n * n numbers.
 */
#ifndef HPM_STUDY_MULTIVARIATE_CHOLESKY_H
#define HPM_STUDY_MULTIVARIATE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Solve matrix * x = right; both are overwritten, `right` by x.  False if the
 * matrix is not positive definite. */
bool hpm_cholesky_solve(double *matrix, size_t n, double *right);

/* The diagonal of the inverse; false if there is no inverse.  `room` has n * n
 * + n numbers. */
bool hpm_cholesky_inverse_diagonal(const double *matrix, size_t n,
                                   double *ret_diagonal, double *room);

/* Given correlations: find columns that are linear combinations of others, up
 * to `tolerance` of their variance.  Columns are taken one after the other,
 * always the one with the largest rest; ret_is_dependent[j] is set for those
 * that are left in the end.  The matrix is destroyed.  Returns their number. */
size_t hpm_cholesky_find_dependent(double *matrix, size_t n, double tolerance,
                                   bool *ret_is_dependent);

#endif
