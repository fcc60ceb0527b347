/* SPDX-License-Identifier: BSD-3-Clause
 * Points that lie apart from the bulk of them.
 *
 * Their distance is robust: center and spread are medians, which some wild
 * points do not move.  Columns that go together are turned into directions that
 * do not (R. A. Maronna and R. H. Zamar, "Robust estimates of location and
 * dispersion for high-dimensional datasets", Technometrics 44, 2002), where
 * there are at least five points a column; with fewer each column is taken by
 * itself. */
#ifndef HPM_STUDY_MULTIVARIATE_OUTLIERS_H
#define HPM_STUDY_MULTIVARIATE_OUTLIERS_H

#include "study/multivariate/matrix.h"

struct hpm_outliers {
    double *distances; /* per point; of the half in the middle the largest
                                * is that of normally distributed points */
    double *centers, *widths; /* per column: the median, 1.4826 times the median
                                * distance from it; where that is 0 the
                                * deviation */
    double limit;    /* beyond it a point is an outlier: chance would put
                                * one of all of them there in 1 of 40 such sets */
    bool are_turned; /* the columns, into directions */
};

/* Of at least 5 rows and a column.  False, and nothing to clear, when there is
 * no memory. */
bool hpm_outliers_init(struct hpm_outliers *outliers,
                       const struct hpm_matrix *matrix);
void hpm_outliers_clear(struct hpm_outliers *outliers);

#endif
