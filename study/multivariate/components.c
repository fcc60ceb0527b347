/* SPDX-License-Identifier: BSD-3-Clause
 * Principal components. */
#include "study/multivariate/components.h"

#include <math.h>

#include "host/memory.h"
#include "study/multivariate/correlation.h"
#include "study/multivariate/jacobi.h"

static void
find_means(const struct hpm_matrix *matrix, double *means)
{
    for (size_t j = 0; j < matrix->n_columns; j++) {
        const double *column = hpm_matrix_column(matrix, j);
        double sum = 0.0;

        for (size_t i = 0; i < matrix->n_rows; i++)
            sum += column[i];
        means[j] = sum / (double)matrix->n_rows;
    }
}

bool
hpm_components_init(struct hpm_components *components,
                    const struct hpm_matrix *matrix)
{
    size_t n = matrix->n_columns;
    double *covariances = hpm_memory_new(n * n + 1, sizeof *covariances);
    bool is_good;

    *components = (struct hpm_components){
        .n = n,
        .values = hpm_memory_new(n + 1, sizeof(double)),
        .weights = hpm_memory_new(n * n + 1, sizeof(double)),
        .means = hpm_memory_new(n + 1, sizeof(double))};
    is_good = covariances != NULL && components->values != NULL &&
              components->weights != NULL && components->means != NULL &&
              hpm_covariance_fill(matrix, covariances);
    if (is_good) {
        hpm_jacobi(covariances, n, components->values, components->weights);
        for (size_t k = 0; k < n; k++)
            components->values[k] = fmax(components->values[k], 0.0);
        find_means(matrix, components->means);
    } else {
        hpm_components_clear(components);
    }
    hpm_memory_free(covariances);
    return is_good;
}

void
hpm_components_clear(struct hpm_components *components)
{
    hpm_memory_free(components->values);
    hpm_memory_free(components->weights);
    hpm_memory_free(components->means);
    *components = (struct hpm_components){0};
}

void
hpm_components_score(const struct hpm_components *components,
                     const struct hpm_matrix *matrix, size_t k,
                     double *ret_scores)
{
    for (size_t i = 0; i < matrix->n_rows; i++)
        ret_scores[i] = 0.0;
    for (size_t j = 0; j < components->n; j++) {
        const double *column = hpm_matrix_column(matrix, j);
        double weight = components->weights[k * components->n + j];

        for (size_t i = 0; i < matrix->n_rows; i++)
            ret_scores[i] += weight * (column[i] - components->means[j]);
    }
}

size_t
hpm_components_count_large(const struct hpm_components *components)
{
    double sum = 0.0;
    size_t n_large = 0;

    for (size_t k = 0; k < components->n; k++)
        sum += components->values[k];
    for (size_t k = 0; k < components->n; k++)
        n_large += components->values[k] * (double)components->n > sum;
    return n_large;
}
