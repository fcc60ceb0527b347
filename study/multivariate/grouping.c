/* SPDX-License-Identifier: BSD-3-Clause
 * Points in groups. */
#include "study/multivariate/grouping.h"

#include <math.h>

#include "host/memory.h"
#include "study/multivariate/tails.h"

/* ---- making a grouping ---------------------------------------------- */

static bool
number_labels(struct hpm_grouping_of_points *grouping, const size_t *labels,
              size_t n)
{
    size_t *numbers = hpm_memory_new(grouping->k + 1, sizeof *numbers);
    size_t n_numbers = 0;

    for (size_t i = 0; i < n && numbers != NULL; i++) {
        if (numbers[labels[i]] == 0)
            numbers[labels[i]] = ++n_numbers;
        grouping->labels[i] = numbers[labels[i]] - 1;
        grouping->sizes[grouping->labels[i]]++;
    }
    hpm_memory_free(numbers);
    return numbers != NULL;
}

/* Correct the rounding of each group's mean: add the mean of the rests. */
static void
better_means(const struct hpm_grouping_of_points *grouping, size_t n_points,
             const double *column, double *means, double *rests)
{
    for (size_t c = 0; c < grouping->k; c++)
        rests[c] = 0.0;
    for (size_t i = 0; i < n_points; i++)
        rests[grouping->labels[i]] += column[i] - means[grouping->labels[i]];
    for (size_t c = 0; c < grouping->k; c++)
        means[c] += rests[c] / (double)grouping->sizes[c];
}

/* In two passes, relative to the first point of each group: if all points of a
 * group are equal, no rounding error is left. */
static void
find_means(struct hpm_grouping_of_points *grouping,
           const struct hpm_matrix *matrix, double *rests)
{
    for (size_t j = 0; j < matrix->n_columns; j++) {
        const double *column = hpm_matrix_column(matrix, j);
        double *means = hpm_matrix_column(&grouping->means, j);

        for (size_t i = matrix->n_rows; i-- > 0;)
            means[grouping->labels[i]] = column[i];
        better_means(grouping, matrix->n_rows, column, means, rests);
        better_means(grouping, matrix->n_rows, column, means, rests);
        for (size_t i = 0; i < matrix->n_rows; i++) {
            double off = column[i] - means[grouping->labels[i]];

            grouping->within += off * off;
        }
    }
}

bool
hpm_grouping_init(struct hpm_grouping_of_points *grouping,
                  const struct hpm_matrix *matrix, const size_t *labels,
                  size_t k)
{
    double *rests = hpm_memory_new(k + 1, sizeof *rests);
    bool is_good;

    *grouping = (struct hpm_grouping_of_points){
        .k = k,
        .labels = hpm_memory_new(matrix->n_rows + 1, sizeof(size_t)),
        .sizes = hpm_memory_new(k + 1, sizeof(size_t))};
    is_good = rests != NULL && grouping->labels != NULL &&
              grouping->sizes != NULL &&
              hpm_matrix_init(&grouping->means, k, matrix->n_columns) &&
              number_labels(grouping, labels, matrix->n_rows);
    if (is_good)
        find_means(grouping, matrix, rests);
    else
        hpm_grouping_clear(grouping);
    hpm_memory_free(rests);
    return is_good;
}

void
hpm_grouping_clear(struct hpm_grouping_of_points *grouping)
{
    hpm_memory_free(grouping->labels);
    hpm_memory_free(grouping->sizes);
    hpm_matrix_clear(&grouping->means);
    *grouping = (struct hpm_grouping_of_points){0};
}

/* ---- F -------------------------------------------------------------- */

static struct hpm_f_ratio
ratio_of(const struct hpm_grouping_of_points *grouping,
         const struct hpm_matrix *matrix, size_t column)
{
    const double *values = hpm_matrix_column(matrix, column);
    const double *means = hpm_matrix_column(&grouping->means, column);
    double n = (double)matrix->n_rows, k = (double)grouping->k, mean = 0.0;
    struct hpm_f_ratio ratio = {0};

    for (size_t c = 0; c < grouping->k; c++)
        mean += means[c] * ((double)grouping->sizes[c] / n);
    for (size_t c = 0; c < grouping->k; c++)
        ratio.between +=
            (double)grouping->sizes[c] * (means[c] - mean) * (means[c] - mean);
    for (size_t i = 0; i < matrix->n_rows; i++) {
        double off = values[i] - means[grouping->labels[i]];

        ratio.within += off * off;
    }
    ratio.ratio = ratio.within > 0.0 ? ratio.between / ratio.within : INFINITY;
    ratio.r2 = ratio.between / (ratio.between + ratio.within);
    ratio.f = k > 1.0 ? ratio.ratio * ((n - k) / (k - 1.0)) : NAN;
    ratio.p = n > k && k > 1.0 ? hpm_tails_f(ratio.f, k - 1.0, n - k) : NAN;
    return ratio;
}

bool
hpm_f_is_only_large(double ratio)
{
    return isfinite(ratio) && ratio >= 1e6;
}

void
hpm_grouping_f_ratios(const struct hpm_grouping_of_points *grouping,
                      const struct hpm_matrix *matrix,
                      struct hpm_f_ratio *ret_ratios)
{
    for (size_t j = 0; j < matrix->n_columns; j++)
        ret_ratios[j] = ratio_of(grouping, matrix, j);
}

double
hpm_grouping_pooled_f(const struct hpm_grouping_of_points *grouping,
                      const struct hpm_matrix *matrix)
{
    double n = (double)matrix->n_rows, k = (double)grouping->k;
    double between = 0.0, within = 0.0;

    for (size_t j = 0; j < matrix->n_columns; j++) {
        struct hpm_f_ratio ratio = ratio_of(grouping, matrix, j);

        between += ratio.between;
        within += ratio.within;
    }
    if (!(n > k) || k < 2.0)
        return NAN;
    return within > 0.0 ? (between / (k - 1.0)) / (within / (n - k)) : INFINITY;
}

/* ---- silhouette ----------------------------------------------------- */

static double
width_of(double own, double other)
{
    double most = fmax(own, other);

    return most > 0.0 ? (other - own) / most : 0.0;
}

/* The silhouette width, from the mean distances to each group. */
static double
find_width(const struct hpm_grouping_of_points *grouping, size_t point,
           const double *distances)
{
    size_t own = grouping->labels[point];
    double other = INFINITY;

    if (grouping->sizes[own] < 2 || grouping->k < 2)
        return 0.0;
    for (size_t c = 0; c < grouping->k; c++)
        other = c != own ? fmin(other, distances[c]) : other;
    return width_of(distances[own], other);
}

static void
find_mean_distances(const struct hpm_grouping_of_points *grouping,
                    const struct hpm_matrix *matrix, size_t point,
                    const double *values, double *squares, double *distances)
{
    for (size_t c = 0; c < grouping->k; c++)
        distances[c] = 0.0;
    hpm_matrix_distances(matrix, 0, matrix->n_rows, values, squares);
    for (size_t i = 0; i < matrix->n_rows; i++)
        distances[grouping->labels[i]] += sqrt(squares[i]);
    for (size_t c = 0; c < grouping->k; c++) {
        size_t n = grouping->sizes[c] - (c == grouping->labels[point]);

        distances[c] /= (double)(n > 0 ? n : 1);
    }
}

double
hpm_grouping_silhouette(const struct hpm_grouping_of_points *grouping,
                        const struct hpm_matrix *matrix, double *ret_widths)
{
    size_t n = matrix->n_rows;
    bool is_exact = n <= HPM_GROUPING_EXACT_SILHOUETTE;
    double *values = hpm_memory_new(matrix->n_columns + 1, sizeof *values);
    double *squares = hpm_memory_new((is_exact ? n : 0) + 1, sizeof *squares);
    double *distances = hpm_memory_new(grouping->k + 1, sizeof *distances);
    bool is_good = values != NULL && squares != NULL && distances != NULL;
    double sum = 0.0;

    for (size_t i = 0; i < n && is_good; i++) {
        double width;

        for (size_t j = 0; j < matrix->n_columns; j++)
            values[j] = hpm_matrix_get(matrix, i, j);
        if (is_exact) {
            find_mean_distances(grouping, matrix, i, values, squares,
                                distances);
        } else {
            hpm_matrix_distances(&grouping->means, 0, grouping->k, values,
                                 distances);
            for (size_t c = 0; c < grouping->k; c++)
                distances[c] = sqrt(distances[c]);
        }
        width = find_width(grouping, i, distances);
        sum += width;
        if (ret_widths != NULL)
            ret_widths[i] = width;
    }
    hpm_memory_free(values);
    hpm_memory_free(squares);
    hpm_memory_free(distances);
    return is_good && n > 0 ? sum / (double)n : NAN;
}
