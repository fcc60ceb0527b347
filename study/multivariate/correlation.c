/* SPDX-License-Identifier: BSD-3-Clause
 * Correlations and covariances of columns. */
#include "study/multivariate/correlation.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"

/* ROWS rows, whose columns minus their means stay in a near cache; LANES sums
 * made side by side and added at the end: the order of additions is then the
 * same on every processor. */
enum { ROWS = 256, LANES = 2 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/* A tile of products, which reads each column once for several of them. */
enum { TILE = 4 };

struct products {
    const struct hpm_matrix *matrix;
    size_t p;      /* columns, rounded up to a multiple of TILE: the added ones
                    * are 0 */
    double *means; /* per column */
    double *block; /* ROWS values minus the mean, per column */
    double *sums;  /* p * p */
};

static void
find_means(struct products *products)
{
    size_t n = products->matrix->n_rows;

    for (size_t j = 0; j < products->matrix->n_columns; j++) {
        const double *column = hpm_matrix_column(products->matrix, j);
        double sum = 0.0, rest = 0.0, mean;

        for (size_t i = 0; i < n; i++)
            sum += column[i];
        mean = sum / (double)n;
        for (size_t i = 0; i < n; i++)
            rest += column[i] - mean;
        products->means[j] = mean + rest / (double)n;
    }
}

static void
fill_block(struct products *products, size_t first, size_t n)
{
    for (size_t j = 0; j < products->matrix->n_columns; j++) {
        const double *column = hpm_matrix_column(products->matrix, j) + first;
        double *block = products->block + j * ROWS, mean = products->means[j];

        for (size_t i = 0; i < n; i++)
            block[i] = column[i] - mean;
        for (size_t i = n; i < ROWS; i++)
            block[i] = 0.0;
    }
}

static lanes
load(const double *values)
{
    lanes loaded;

    memcpy(&loaded, values, sizeof loaded);
    return loaded;
}

static void
add_tile(struct products *products, size_t a, size_t b)
{
    const double *left = products->block + a * ROWS;
    const double *right = products->block + b * ROWS;
    lanes sums[TILE][TILE] = {0};

    for (size_t i = 0; i < ROWS; i += LANES) {
        lanes columns[TILE];

        for (size_t k = 0; k < TILE; k++)
            columns[k] = load(right + k * ROWS + i);
        for (size_t j = 0; j < TILE; j++) {
            lanes row = load(left + j * ROWS + i);

            for (size_t k = 0; k < TILE; k++)
                sums[j][k] += row * columns[k];
        }
    }
    for (size_t j = 0; j < TILE; j++) {
        for (size_t k = 0; k < TILE; k++) {
            double *sum = &products->sums[(a + j) * products->p + b + k];

            for (size_t lane = 0; lane < LANES; lane++)
                *sum += sums[j][k][lane];
        }
    }
}

static void
add_all(struct products *products)
{
    size_t n = products->matrix->n_rows;

    find_means(products);
    for (size_t first = 0; first < n; first += ROWS) {
        fill_block(products, first, n - first < ROWS ? n - first : ROWS);
        for (size_t a = 0; a < products->p; a += TILE) {
            for (size_t b = a; b < products->p; b += TILE)
                add_tile(products, a, b);
        }
    }
}

bool
hpm_covariance_fill(const struct hpm_matrix *matrix, double *ret_values)
{
    size_t n = matrix->n_columns, p = (n + TILE - 1) / TILE * TILE;
    struct products products = {
        .matrix = matrix,
        .p = p,
        .means = hpm_memory_new(p + 1, sizeof(double)),
        .block = hpm_memory_new(p * ROWS + 1, sizeof(double)),
        .sums = hpm_memory_new(p * p + 1, sizeof(double))};
    bool is_good = products.means != NULL && products.block != NULL &&
                   products.sums != NULL;

    if (is_good)
        add_all(&products);
    for (size_t a = 0; a < n && is_good; a++) {
        for (size_t b = a; b < n; b++)
            ret_values[a * n + b] = ret_values[b * n + a] =
                products.sums[a * p + b] / (double)(matrix->n_rows - 1);
    }
    hpm_memory_free(products.means);
    hpm_memory_free(products.block);
    hpm_memory_free(products.sums);
    return is_good;
}

bool
hpm_correlation_fill(const struct hpm_matrix *matrix, double *ret_values)
{
    size_t n = matrix->n_columns;

    if (!hpm_covariance_fill(matrix, ret_values))
        return false;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            double r = ret_values[a * n + b] /
                       sqrt(ret_values[a * n + a] * ret_values[b * n + b]);

            ret_values[a * n + b] = ret_values[b * n + a] =
                fmax(fmin(r, 1.0), -1.0);
        }
    }
    for (size_t a = 0; a < n; a++)
        ret_values[a * n + a] = 1.0;
    return true;
}
