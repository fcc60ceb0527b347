/* SPDX-License-Identifier: BSD-3-Clause
 * Preparation of columns for statistics: nothing missing, nothing constant, all
 * on one scale.  In this order:
 *
 *   1. columns missing in more than half of the rows are left out,
 *   2. then rows in which a value is missing,
 *   3. then columns that do not vary: max = min for exact numbers, for others
 *      a deviation of at most 8 roundings of the largest,
 *   4. the first row is subtracted (which is exact for counters below 2^53, so
 *      that large counters with small differences lose nothing), mean and
 *      deviation (n - 1) are found in two passes,
 *   5. the scale is changed. */
#ifndef HPM_STUDY_MULTIVARIATE_PREPARATION_H
#define HPM_STUDY_MULTIVARIATE_PREPARATION_H

#include "study/multivariate/matrix.h"

enum hpm_scaling {
    HPM_SCALING_Z,      /* minus the mean, divided by the deviation */
    HPM_SCALING_RANGE,  /* from 0 to 1 */
    HPM_SCALING_ROBUST, /* minus the median, divided by 1.4826 times the median
                         * distance from it; as Z if that is 0 */
    HPM_SCALING_NONE,   /* only minus the mean */
};

enum hpm_column_fate {
    HPM_FATE_KEPT,
    HPM_FATE_MISSING, /* in more than half of the rows */
    HPM_FATE_CONSTANT,
    HPM_FATE_TOO_LARGE /* squares of values that are not scaled overflow */
};

/* A given column: n rows, NAN where a value is missing. */
struct hpm_raw_column {
    const double *values;
    bool is_exact; /* whole numbers, counted */
};

struct hpm_preparation {
    struct hpm_matrix matrix;    /* the kept values, scaled */
    size_t *rows;                /* per row of the matrix: the given row */
    size_t *columns;             /* per column of the matrix: the given
                                  * column */
    enum hpm_column_fate *fates; /* per given column */
    double *means, *deviations;  /* per column of the matrix, before scaling */
    size_t n_dropped_rows;
};

/* False, and nothing to clear, when there is no memory.  The matrix may be left
 * without rows or columns. */
bool hpm_preparation_init(struct hpm_preparation *preparation,
                          const struct hpm_raw_column *columns,
                          size_t n_columns, size_t n_rows,
                          enum hpm_scaling scaling);
void hpm_preparation_clear(struct hpm_preparation *preparation);

#endif
