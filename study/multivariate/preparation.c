/* SPDX-License-Identifier: BSD-3-Clause
 * Preparation of columns for statistics. */
#include "study/multivariate/preparation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/statistics/quantile.h"

/* ---- rows and columns left out -------------------------------------- */

static size_t
count_missing(const struct hpm_raw_column *column, size_t n)
{
    size_t n_missing = 0;

    for (size_t i = 0; i < n; i++)
        n_missing += isfinite(column->values[i]) ? 0 : 1;
    return n_missing;
}

static void
choose_rows(struct hpm_preparation *preparation,
            const struct hpm_raw_column *columns, size_t n_columns,
            size_t n_rows)
{
    size_t n_kept = 0;

    for (size_t i = 0; i < n_rows; i++) {
        bool is_whole = true;

        for (size_t j = 0; j < n_columns && is_whole; j++)
            is_whole = preparation->fates[j] != HPM_FATE_KEPT ||
                       isfinite(columns[j].values[i]);
        if (is_whole)
            preparation->rows[n_kept++] = i;
    }
    preparation->n_dropped_rows = n_rows - n_kept;
    preparation->matrix.n_rows = n_kept;
}

/* ---- one column ----------------------------------------------------- */

/* All in units in which every difference of two rows is finite. */
struct moments {
    double unit; /* 1, or 4 where values are farther apart than DBL_MAX */
    double mean, deviation; /* after the first row is subtracted */
    double least, most;     /* the same */
    double largest;         /* largest absolute value */
};

/* Compute mean and deviation in units of `unit`; false if `unit` is too small or
 * too large for the squares. */
static bool
find_spread(struct moments *moments, const double *shifted, size_t n,
            double unit)
{
    double sum = 0.0, rest = 0.0, squares = 0.0, mean;

    for (size_t i = 0; i < n; i++)
        sum += shifted[i] / unit;
    mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = shifted[i] / unit - mean;

        rest += off;
        squares += off * off;
    }
    moments->mean = (mean + rest / (double)n) * unit;
    if (n > 1)
        moments->deviation =
            unit * sqrt(fmax(squares - rest * rest / (double)n, 0.0) /
                        (double)(n - 1));
    return isnormal(squares);
}

/* Divided by a power of two values keep all their digits. */
static double
find_unit(const double *values, const size_t *rows, size_t n)
{
    double least = 0.0, most = 0.0;

    for (size_t i = 0; i < n; i++) {
        least = fmin(least, values[rows[i]]);
        most = fmax(most, values[rows[i]]);
    }
    return isfinite(most - least) ? 1.0 : 4.0;
}

/* Copy the column minus its first row. */
static struct moments
shift(const double *values, const size_t *rows, size_t n, double *shifted)
{
    struct moments moments = {.unit = find_unit(values, rows, n)};
    double first = values[rows[0]] / moments.unit;

    for (size_t i = 0; i < n; i++) {
        double here = values[rows[i]] / moments.unit;

        shifted[i] = here - first;
        moments.least = fmin(moments.least, shifted[i]);
        moments.most = fmax(moments.most, shifted[i]);
        moments.largest = fmax(moments.largest, fabs(here));
    }
    if (!find_spread(&moments, shifted, n, 1.0) && moments.most > moments.least)
        find_spread(&moments, shifted, n, moments.most - moments.least);
    return moments;
}

static bool
is_constant(const struct moments *moments, bool is_exact)
{
    return !(moments->most > moments->least) || !isfinite(moments->deviation) ||
           (!is_exact &&
            moments->deviation <= 8.0 * DBL_EPSILON * moments->largest);
}

/* The median, and 1.4826 times the median distance from it (for a normal
 * distribution this is its deviation). */
static void
find_robust(const double *values, size_t n, double *room, double *ret_center,
            double *ret_width)
{
    memcpy(room, values, n * sizeof *room);
    hpm_quantile_sort(room, n);
    *ret_center = hpm_quantile_median(room, n);
    for (size_t i = 0; i < n; i++)
        room[i] = fabs(values[i] - *ret_center);
    hpm_quantile_sort(room, n);
    *ret_width = 1.4826022185056018 * hpm_quantile_median(room, n);
}

/* Of values so far apart, squares can still be added up over all points and
 * columns. */
static const double FARTHEST_UNSCALED = 1e150;

static enum hpm_column_fate
find_fate(const struct moments *moments, bool is_exact,
          enum hpm_scaling scaling)
{
    if (is_constant(moments, is_exact))
        return HPM_FATE_CONSTANT;
    if (scaling == HPM_SCALING_NONE &&
        moments->most - moments->least > FARTHEST_UNSCALED / moments->unit)
        return HPM_FATE_TOO_LARGE;
    return HPM_FATE_KEPT;
}

static void
scale(double *values, size_t n, const struct moments *moments,
      enum hpm_scaling scaling, double *room)
{
    double center = moments->mean, width = moments->deviation;

    if (scaling == HPM_SCALING_RANGE) {
        center = moments->least;
        width = moments->most - moments->least;
    } else if (scaling == HPM_SCALING_NONE) {
        width = 1.0 / moments->unit;
    } else if (scaling == HPM_SCALING_ROBUST) {
        double robust_center, robust_width;

        find_robust(values, n, room, &robust_center, &robust_width);
        if (robust_width > 0.0) {
            center = robust_center;
            width = robust_width;
        }
    }
    for (size_t i = 0; i < n; i++)
        values[i] = (values[i] - center) / width;
}

/* ---- all of them ---------------------------------------------------- */

static void
take_columns(struct hpm_preparation *preparation,
             const struct hpm_raw_column *columns, size_t n_columns,
             enum hpm_scaling scaling, double *room)
{
    struct hpm_matrix *matrix = &preparation->matrix;
    size_t n = matrix->n_rows, n_kept = 0;

    for (size_t j = 0; j < n_columns && n > 0; j++) {
        double *values = matrix->values + n_kept * n;
        struct moments moments;

        if (preparation->fates[j] != HPM_FATE_KEPT)
            continue;
        moments = shift(columns[j].values, preparation->rows, n, values);
        preparation->fates[j] =
            find_fate(&moments, columns[j].is_exact, scaling);
        if (preparation->fates[j] != HPM_FATE_KEPT)
            continue;
        preparation->columns[n_kept] = j;
        preparation->means[n_kept] =
            (columns[j].values[preparation->rows[0]] / moments.unit +
             moments.mean) *
            moments.unit;
        preparation->deviations[n_kept] = moments.deviation * moments.unit;
        scale(values, n, &moments, scaling, room);
        n_kept++;
    }
    matrix->n_columns = n_kept;
}

bool
hpm_preparation_init(struct hpm_preparation *preparation,
                     const struct hpm_raw_column *columns, size_t n_columns,
                     size_t n_rows, enum hpm_scaling scaling)
{
    double *room = hpm_memory_new(n_rows + 1, sizeof *room);
    bool is_good;

    *preparation = (struct hpm_preparation){
        .rows = hpm_memory_new(n_rows + 1, sizeof(size_t)),
        .columns = hpm_memory_new(n_columns + 1, sizeof(size_t)),
        .fates = hpm_memory_new(n_columns + 1, sizeof(enum hpm_column_fate)),
        .means = hpm_memory_new(n_columns + 1, sizeof(double)),
        .deviations = hpm_memory_new(n_columns + 1, sizeof(double))};
    is_good = hpm_matrix_init(&preparation->matrix, n_rows, n_columns) &&
              room != NULL && preparation->rows != NULL &&
              preparation->columns != NULL && preparation->fates != NULL &&
              preparation->means != NULL && preparation->deviations != NULL;
    for (size_t j = 0; j < n_columns && is_good; j++) {
        if (2 * count_missing(&columns[j], n_rows) > n_rows)
            preparation->fates[j] = HPM_FATE_MISSING;
    }
    if (is_good) {
        choose_rows(preparation, columns, n_columns, n_rows);
        take_columns(preparation, columns, n_columns, scaling, room);
    } else {
        hpm_preparation_clear(preparation);
    }
    hpm_memory_free(room);
    return is_good;
}

void
hpm_preparation_clear(struct hpm_preparation *preparation)
{
    hpm_matrix_clear(&preparation->matrix);
    hpm_memory_free(preparation->rows);
    hpm_memory_free(preparation->columns);
    hpm_memory_free(preparation->fates);
    hpm_memory_free(preparation->means);
    hpm_memory_free(preparation->deviations);
    *preparation = (struct hpm_preparation){0};
}
