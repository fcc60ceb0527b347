/* SPDX-License-Identifier: BSD-3-Clause
 * k-means: k groups such that the squares of the distances of the points from
 * the mean of their group are least.
 *
 * Each of several starts chooses k points that are far apart by chance
 * (k-means++, D. Arthur and S. Vassilvitskii, 2007: the best of 2 + floor(ln k)
 * candidates each), and moves the means until no point changes its group (S. P.
 * Lloyd, 1957).  Then single points are moved until none makes it better (J. A.
 * Hartigan, "Clustering algorithms", 1975), up to 100,000 points, and of more
 * than 10,000 only in the best start.  Beyond 50,000 points the starts are of a
 * sample of 20,000, and only the best is moved on by all.  The seed fixes the
 * result to the last bit. */
#ifndef HPM_STUDY_MULTIVARIATE_KMEANS_H
#define HPM_STUDY_MULTIVARIATE_KMEANS_H

#include <stdint.h>

#include "study/multivariate/grouping.h"

struct hpm_kmeans_options {
    size_t k; /* at most as many groups as there are different points */
    uint64_t seed;
    size_t n_starts; /* 0: hpm_kmeans_starts */
    int most_passes; /* over the points, a start, and no single ones are moved;
                      * 0: until none changes its group */
};

/* Of so many points: 10 of many, up to 500 of few, for chance hits their best
 * groups less often than it takes time to try. */
size_t hpm_kmeans_starts(size_t n_points);

enum { HPM_KMEANS_SEED = 20020716 };

/* False, and nothing to clear, when there is no memory.  There are fewer than k
 * groups where fewer points differ. */
bool hpm_kmeans_run(struct hpm_grouping_of_points *ret_grouping,
                    const struct hpm_matrix *matrix,
                    const struct hpm_kmeans_options *options);

/* n of more points by chance, each as likely, in their order. */
bool hpm_kmeans_sample(struct hpm_matrix *ret_sample,
                       const struct hpm_matrix *matrix, size_t n,
                       uint64_t seed);

#endif
