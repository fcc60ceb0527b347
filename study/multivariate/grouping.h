/* SPDX-License-Identifier: BSD-3-Clause
 * Points in groups, and measures of how good the groups are. */
#ifndef HPM_STUDY_MULTIVARIATE_GROUPING_H
#define HPM_STUDY_MULTIVARIATE_GROUPING_H

#include "study/multivariate/matrix.h"

/* Every point in one of k groups.  labels[i] is 0 to k - 1; groups are numbered
 * as they appear. */
struct hpm_grouping_of_points {
    size_t k;
    size_t *labels;
    size_t *sizes;
    struct hpm_matrix means; /* a row for each group */
    double within;           /* sum of the squared distances from the means */
};

/* Make a grouping from n labels below k, each of which some point has; they are
 * numbered anew.  False, and nothing to clear, when there is no memory. */
bool hpm_grouping_init(struct hpm_grouping_of_points *grouping,
                       const struct hpm_matrix *matrix, const size_t *labels,
                       size_t k);
void hpm_grouping_clear(struct hpm_grouping_of_points *grouping);

/* The spread of one column over the groups: the squared distances of the
 * groups' means from the overall mean (`between`), and of the points from their
 * group's mean (`within`), each summed over the points. */
struct hpm_f_ratio {
    double between, within;
    double ratio; /* between / within; INFINITY where within is 0 */
    double f;     /* (between / (k - 1)) / (within / (n - k)) */
    double r2;    /* between / (between + within) */
    double p;     /* of f by the F distribution: tells how far apart the groups
                   * are, and proves nothing, since the groups were made from
                   * the same numbers; NAN if n = k */
};

/* A ratio of a million or more is only called large, unless it is infinite: where all
 * points of a group are equal up to rounding, its digits are those of the rounding. */
#define HPM_F_LARGE ">999999"
bool hpm_f_is_only_large(double ratio);

/* The F ratio of each column. */
void hpm_grouping_f_ratios(const struct hpm_grouping_of_points *grouping,
                           const struct hpm_matrix *matrix,
                           struct hpm_f_ratio *ret_ratios);

/* The F of all columns together: Calinski and Harabasz, Communications in
 * Statistics 3, 1974. */
double hpm_grouping_pooled_f(const struct hpm_grouping_of_points *grouping,
                             const struct hpm_matrix *matrix);

/* The silhouette: how much nearer each point is to its own group than to the
 * next one, from -1 to 1 (P. J. Rousseeuw, Journal of Computational and Applied
 * Mathematics 20, 1987); 0 for a point alone in its group.  Returns the mean,
 * NAN when there is no memory.  Exact, by all distances, up to
 * HPM_GROUPING_EXACT_SILHOUETTE points; for more points by the distances from
 * the groups' means.  ret_widths may be NULL. */
double hpm_grouping_silhouette(const struct hpm_grouping_of_points *grouping,
                               const struct hpm_matrix *matrix,
                               double *ret_widths);

enum { HPM_GROUPING_EXACT_SILHOUETTE = 5000 };

/* The mean silhouette below which there are no natural groups (L. Kaufman and
 * P. J. Rousseeuw, "Finding groups in data", 1990). */
#define HPM_GROUPING_NATURAL 0.25

#endif
