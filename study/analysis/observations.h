/* SPDX-License-Identifier: BSD-3-Clause
 * The points of one section, made fit for statistics. */
#ifndef HPM_STUDY_ANALYSIS_OBSERVATIONS_H
#define HPM_STUDY_ANALYSIS_OBSERVATIONS_H

#include "study/analysis/account.h"
#include "study/points/points.h"
#include "study/multivariate/preparation.h"

struct hpm_observations {
    const struct hpm_points *points; /* of one section */
    enum hpm_scaling scaling;
    struct hpm_preparation preparation;
};

/* False, and nothing to clear, when fewer than `least_rows` points or
 * `least_columns` columns are left, or there is no memory; the error says what
 * became of the others. */
bool hpm_observations_init(struct hpm_observations *observations,
                           const struct hpm_points *points,
                           enum hpm_scaling scaling, size_t least_rows,
                           size_t least_columns, struct hpm_error *err);
void hpm_observations_clear(struct hpm_observations *observations);

/* The column of the points, and its name, of a column of the matrix. */
const struct hpm_points_column *
hpm_observations_column(const struct hpm_observations *observations,
                        size_t column);

/* Say of what section, how many points and columns, what was left out and why,
 * how they are scaled, and which columns are the same. */
void hpm_observations_describe(const struct hpm_observations *observations,
                               struct hpm_account *account);

/* Columns "section", "task", "thread" (and "call") of a table of points, and their
 * cells. */
void hpm_observations_add_labels(const struct hpm_observations *observations,
                                 struct hpm_table *table);
void hpm_observations_add_label(const struct hpm_observations *observations,
                                struct hpm_table *table, size_t row);

#endif
