/* SPDX-License-Identifier: BSD-3-Clause
 * Correlations and covariances of columns. */
#ifndef HPM_STUDY_MULTIVARIATE_CORRELATION_H
#define HPM_STUDY_MULTIVARIATE_CORRELATION_H

#include "study/multivariate/matrix.h"

/* Covariances (by n - 1), or correlations (Pearson's r), of all columns:
 * ret_values[a * n_columns + b].  No column may be constant, and there must be
 * two rows or more.  False when there is no memory. */
bool hpm_correlation_fill(const struct hpm_matrix *matrix, double *ret_values);
bool hpm_covariance_fill(const struct hpm_matrix *matrix, double *ret_values);

#endif
