/* SPDX-License-Identifier: BSD-3-Clause
 * Principal components: directions in which the points are spread most, each at
 * right angles to those before it. */
#ifndef HPM_STUDY_MULTIVARIATE_COMPONENTS_H
#define HPM_STUDY_MULTIVARIATE_COMPONENTS_H

#include "study/multivariate/matrix.h"

struct hpm_components {
    size_t n; /* as many as columns */
    double
        *values; /* eigenvalues: the variance along each, the largest first */
    double *weights; /* weights[k * n + j]: of column j in component k; the one
                      * farthest from 0 is above it */
    double *means;   /* of the columns */
};

/* Of at least two rows.  Columns that were scaled to a deviation of 1 count
 * alike: then these are the components of the correlations.  False, and nothing
 * to clear, when there is no memory. */
bool hpm_components_init(struct hpm_components *components,
                         const struct hpm_matrix *matrix);
void hpm_components_clear(struct hpm_components *components);

/* How far along component k each row is. */
void hpm_components_score(const struct hpm_components *components,
                          const struct hpm_matrix *matrix, size_t k,
                          double *ret_scores);

/* Components with an eigenvalue above the mean (above 1 of correlations): they
 * say more than a single column does (H. F. Kaiser, Educational and
 * Psychological Measurement 20, 1960). */
size_t hpm_components_count_large(const struct hpm_components *components);

#endif
