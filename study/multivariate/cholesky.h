/* SPDX-License-Identifier: BSD-3-Clause
 * Symmetric matrices that are positive definite, or nearly so: n * n numbers.
 */
#ifndef HPM_STUDY_MULTIVARIATE_CHOLESKY_H
#define HPM_STUDY_MULTIVARIATE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Solve matrix * x = right; both are overwritten, `right` by x.  False where
 * the matrix is not positive definite. */
bool hpm_cholesky_solve(double *matrix, size_t n, double *right);

/* The diagonal of the inverse; false where there is none.  `room` has n * n + n
 * numbers. */
bool hpm_cholesky_inverse_diagonal(const double *matrix, size_t n,
                                   double *ret_diagonal, double *room);

/* Of correlations: which columns the others tell, up to `tolerance` of their
 * variance.  Columns are taken one after the other, always the one of which
 * those taken leave most; ret_is_dependent[j] of what is left in the end.  The
 * matrix is destroyed.  Returns how many those are. */
size_t hpm_cholesky_find_dependent(double *matrix, size_t n, double tolerance,
                                   bool *ret_is_dependent);

#endif
