/* SPDX-License-Identifier: BSD-3-Clause
 * Outliers: points far from most others.
 *
 * Their distance is robust: center and spread are medians, which a few outliers
 * do not move.  Columns that vary together are turned into directions that do
 * not (R. A. Maronna and R. H. Zamar, "Robust estimates of location and
 * dispersion for high-dimensional datasets", Technometrics 44, 2002), if there
 * are at least five points per column; with fewer points each column is used by
 * itself. */
#ifndef HPM_STUDY_MULTIVARIATE_OUTLIERS_H
#define HPM_STUDY_MULTIVARIATE_OUTLIERS_H

#include "study/multivariate/matrix.h"

struct hpm_outliers {
    double *distances; /* per point; scaled so that their median is that of
                        * normally distributed points */
    double *centers, *widths; /* per column: the median, and 1.4826 times the
                               * median distance from it, or the deviation if
                               * that is 0 */
    double limit;    /* a point beyond this is an outlier: by chance, only 1 of
                      * 40 sets of so many points would have one */
    bool are_turned; /* the columns are turned into directions */
};

/* Needs at least 5 rows and one column.  False, and nothing to clear, when
 * there is no memory. */
bool hpm_outliers_init(struct hpm_outliers *outliers,
                       const struct hpm_matrix *matrix);
void hpm_outliers_clear(struct hpm_outliers *outliers);

#endif
