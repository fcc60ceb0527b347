/* SPDX-License-Identifier: BSD-3-Clause
 * Rotation of factors so that each has few large loadings and many small ones
 * (H. F. Kaiser, Psychometrika 23, 1958). */
#ifndef HPM_STUDY_MULTIVARIATE_VARIMAX_H
#define HPM_STUDY_MULTIVARIATE_VARIMAX_H

#include <stdbool.h>
#include <stddef.h>

/* Rotate the loadings of n columns on m factors, loadings[j * m + k]; for this
 * each column's loadings are scaled to length 1.  Then the factor that explains
 * most comes first, and the sum of each factor's loadings is not below 0.
 * False when there is no memory. */
bool hpm_varimax(double *loadings, size_t n, size_t m);

#endif
