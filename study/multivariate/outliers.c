/* SPDX-License-Identifier: BSD-3-Clause
 * Outliers: points far from most others. */
#include "study/multivariate/outliers.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/statistics/quantile.h"
#include "study/multivariate/jacobi.h"
#include "study/multivariate/tails.h"

/* Medians are taken of at most so many rows, evenly chosen: more rows would not
 * make them better. */
enum { MOST_SORTED = 20000, POINTS_PER_COLUMN = 5 };

struct work {
    const struct hpm_matrix *matrix;
    struct hpm_matrix turned; /* columns minus their center, divided by their
                               * width; then turned */
    double *room;             /* for rows to be sorted, twice */
    size_t stride, n_sorted;
    double *products, *values, *vectors;
};

/* ---- medians -------------------------------------------------------- */

static double
deviation_of(const double *values, size_t n)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    for (size_t i = 0; i < n; i++)
        squares +=
            (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
    return sqrt(squares / (double)n);
}

/* Center and width of the values in work->room. */
static void
find_middle(struct work *work, double *ret_center, double *ret_width)
{
    double *values = work->room, *others = work->room + work->n_sorted;
    size_t n = work->n_sorted;

    memcpy(others, values, n * sizeof *others);
    hpm_quantile_sort(others, n);
    *ret_center = hpm_quantile_median(others, n);
    for (size_t i = 0; i < n; i++)
        others[i] = fabs(values[i] - *ret_center);
    hpm_quantile_sort(others, n);
    *ret_width = 1.4826022185056018 * hpm_quantile_median(others, n);
    if (*ret_width == 0.0)
        *ret_width = deviation_of(values, n);
}

static void
find_middle_of(struct work *work, const double *column, double *ret_center,
               double *ret_width)
{
    for (size_t i = 0; i < work->n_sorted; i++)
        work->room[i] = column[i * work->stride];
    find_middle(work, ret_center, ret_width);
}

/* ---- directions ----------------------------------------------------- */

/* The spread of a sum minus that of a difference is a robust measure of how two
 * columns vary together, like a covariance. */
static double
product_of(struct work *work, size_t a, size_t b)
{
    const double *left = hpm_matrix_column(&work->turned, a);
    const double *right = hpm_matrix_column(&work->turned, b);
    double center, sum, difference;

    for (size_t i = 0; i < work->n_sorted; i++)
        work->room[i] = left[i * work->stride] + right[i * work->stride];
    find_middle(work, &center, &sum);
    for (size_t i = 0; i < work->n_sorted; i++)
        work->room[i] = left[i * work->stride] - right[i * work->stride];
    find_middle(work, &center, &difference);
    return (sum * sum - difference * difference) / 4.0;
}

static void
find_directions(struct work *work)
{
    size_t p = work->matrix->n_columns;

    for (size_t a = 0; a < p; a++) {
        work->products[a * p + a] = 1.0;
        for (size_t b = a + 1; b < p; b++)
            work->products[a * p + b] = work->products[b * p + a] =
                product_of(work, a, b);
    }
    hpm_jacobi(work->products, p, work->values, work->vectors);
}

/* Turn row by row, in place. */
static void
turn_rows(struct work *work)
{
    size_t p = work->matrix->n_columns;
    double *row = work->values;

    for (size_t i = 0; i < work->matrix->n_rows; i++) {
        for (size_t j = 0; j < p; j++)
            row[j] = hpm_matrix_get(&work->turned, i, j);
        for (size_t k = 0; k < p; k++) {
            double sum = 0.0;

            for (size_t j = 0; j < p; j++)
                sum += work->vectors[k * p + j] * row[j];
            hpm_matrix_column(&work->turned, k)[i] = sum;
        }
    }
}

/* ---- distances ------------------------------------------------------ */

/* Returns the number of directions in which points differ. */
static size_t
add_squares(struct work *work, double *squares)
{
    size_t n = work->matrix->n_rows, n_directions = 0;

    for (size_t j = 0; j < work->matrix->n_columns; j++) {
        const double *column = hpm_matrix_column(&work->turned, j);
        double center, width;

        find_middle_of(work, column, &center, &width);
        if (width < 1e-9)
            continue; /* rounding: other columns determine this direction */
        n_directions++;
        for (size_t i = 0; i < n; i++)
            squares[i] +=
                (column[i] - center) / width * ((column[i] - center) / width);
    }
    return n_directions;
}

/* Scale distances as for normally distributed points, by their median. */
static void
scale_distances(struct hpm_outliers *outliers, struct work *work,
                size_t n_directions)
{
    size_t n = work->matrix->n_rows;
    double freedom = (double)(n_directions > 0 ? n_directions : 1);
    double expected = hpm_tails_chi_square_quantile(0.5, freedom);
    double middle, width;

    find_middle_of(work, outliers->distances, &middle, &width);
    for (size_t i = 0; i < n; i++)
        outliers->distances[i] = sqrt(outliers->distances[i] *
                                      (middle > 0.0 ? expected / middle : 1.0));
    outliers->limit =
        sqrt(hpm_tails_chi_square_quantile(0.025 / (double)n, freedom));
}

/* ---- the whole ------------------------------------------------------ */

static bool
init_work(struct work *work, const struct hpm_matrix *matrix)
{
    size_t n = matrix->n_rows, p = matrix->n_columns;

    *work = (struct work){.matrix = matrix,
                          .stride = (n + MOST_SORTED - 1) / MOST_SORTED};
    work->n_sorted = (n + work->stride - 1) / work->stride;
    work->room = hpm_memory_new(2 * work->n_sorted + 1, sizeof(double));
    work->products = hpm_memory_new(p * p + 1, sizeof(double));
    work->values = hpm_memory_new(p + 1, sizeof(double));
    work->vectors = hpm_memory_new(p * p + 1, sizeof(double));
    return hpm_matrix_init(&work->turned, n, p) && work->room != NULL &&
           work->products != NULL && work->values != NULL &&
           work->vectors != NULL;
}

static void
clear_work(struct work *work)
{
    hpm_matrix_clear(&work->turned);
    hpm_memory_free(work->room);
    hpm_memory_free(work->products);
    hpm_memory_free(work->values);
    hpm_memory_free(work->vectors);
}

static void
find_all(struct hpm_outliers *outliers, struct work *work)
{
    const struct hpm_matrix *matrix = work->matrix;

    for (size_t j = 0; j < matrix->n_columns; j++) {
        const double *column = hpm_matrix_column(matrix, j);
        double *scaled = hpm_matrix_column(&work->turned, j);

        find_middle_of(work, column, &outliers->centers[j],
                       &outliers->widths[j]);
        for (size_t i = 0; i < matrix->n_rows; i++)
            scaled[i] =
                outliers->widths[j] > 0.0
                    ? (column[i] - outliers->centers[j]) / outliers->widths[j]
                    : 0.0;
    }
    outliers->are_turned =
        matrix->n_rows >= POINTS_PER_COLUMN * matrix->n_columns;
    if (outliers->are_turned) {
        find_directions(work);
        turn_rows(work);
    }
    scale_distances(outliers, work, add_squares(work, outliers->distances));
}

bool
hpm_outliers_init(struct hpm_outliers *outliers,
                  const struct hpm_matrix *matrix)
{
    struct work work;
    bool is_good;

    *outliers = (struct hpm_outliers){
        .distances = hpm_memory_new(matrix->n_rows + 1, sizeof(double)),
        .centers = hpm_memory_new(matrix->n_columns + 1, sizeof(double)),
        .widths = hpm_memory_new(matrix->n_columns + 1, sizeof(double))};
    is_good = init_work(&work, matrix) && outliers->distances != NULL &&
              outliers->centers != NULL && outliers->widths != NULL;
    if (is_good)
        find_all(outliers, &work);
    else
        hpm_outliers_clear(outliers);
    clear_work(&work);
    return is_good;
}

void
hpm_outliers_clear(struct hpm_outliers *outliers)
{
    hpm_memory_free(outliers->distances);
    hpm_memory_free(outliers->centers);
    hpm_memory_free(outliers->widths);
    *outliers = (struct hpm_outliers){0};
}
