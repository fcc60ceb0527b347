/* SPDX-License-Identifier: BSD-3-Clause
 * k-means: k groups such that the sum of the squared distances of the points
 * from the mean of their group is least.
 *
 * Each of several starts chooses k points at random that are far apart
 * (k-means++, D. Arthur and S. Vassilvitskii, 2007: the best of 2 + floor(ln k)
 * candidates each), and moves the means until no point changes its group (S. P.
 * Lloyd, 1957).  Then single points are moved while that improves the result
 * (J. A. Hartigan, "Clustering algorithms", 1975): up to 100,000 points, and
 * for more than 10,000 only in the best start.  With more than 50,000 points
 * the starts use a sample of 20,000, and only the best one goes on with all
 * points.  The same seed gives the same result to the last bit. */
#ifndef HPM_STUDY_MULTIVARIATE_KMEANS_H
#define HPM_STUDY_MULTIVARIATE_KMEANS_H

#include <stdint.h>

#include "study/multivariate/grouping.h"

struct hpm_kmeans_options {
    size_t k; /* number of groups; there are fewer if fewer points differ */
    uint64_t seed;
    size_t n_starts; /* 0: hpm_kmeans_starts */
    int most_passes; /* limit of passes over the points in each start, and no
                      * single points are moved; 0: until no point changes its
                      * group */
};

/* The number of starts for so many points: 10 for many, up to 500 for few
 * points, where a start finds the best groups less often but takes little
 * time. */
size_t hpm_kmeans_starts(size_t n_points);

enum { HPM_KMEANS_SEED = 20020716 };

/* False, and nothing to clear, when there is no memory.  There are fewer than k
 * groups if fewer points differ. */
bool hpm_kmeans_run(struct hpm_grouping_of_points *ret_grouping,
                    const struct hpm_matrix *matrix,
                    const struct hpm_kmeans_options *options);

/* Draw n of more points at random, with equal probability; they keep their
 * order. */
bool hpm_kmeans_sample(struct hpm_matrix *ret_sample,
                       const struct hpm_matrix *matrix, size_t n,
                       uint64_t seed);

#endif
