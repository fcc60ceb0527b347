/* SPDX-License-Identifier: BSD-3-Clause
 * Principal components: directions in which the points are spread most, each
 * orthogonal to those before it. */
#ifndef HPM_STUDY_MULTIVARIATE_COMPONENTS_H
#define HPM_STUDY_MULTIVARIATE_COMPONENTS_H

#include "study/multivariate/matrix.h"

struct hpm_components {
    size_t n; /* as many as columns */
    double
        *values; /* eigenvalues: the variance along each, the largest first */
    double *weights; /* weights[k * n + j]: of column j in component k; in each
                      * component the weight largest in size is positive */
    double *means;   /* of the columns */
};

/* Needs at least two rows.  Columns that were scaled to a deviation of 1 have
 * equal weight: then these are the components of the correlations.  False, and
 * nothing to clear, when there is no memory. */
bool hpm_components_init(struct hpm_components *components,
                         const struct hpm_matrix *matrix);
void hpm_components_clear(struct hpm_components *components);

/* The score of each row: its coordinate along component k. */
void hpm_components_score(const struct hpm_components *components,
                          const struct hpm_matrix *matrix, size_t k,
                          double *ret_scores);

/* The number of components with an eigenvalue above the mean (above 1 for
 * correlations): they explain more than a single column does (H. F. Kaiser,
 * Educational and Psychological Measurement 20, 1960). */
size_t hpm_components_count_large(const struct hpm_components *components);

#endif
