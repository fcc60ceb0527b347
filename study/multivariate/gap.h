/* SPDX-License-Identifier: BSD-3-Clause
 * The number of groups, or none, by the gap statistic (R. Tibshirani, G.
 * Walther and T. Hastie, Journal of the Royal Statistical Society B 63, 2001):
 * how much tighter the groups are than groups of points spread evenly in the
 * same box. */
#ifndef HPM_STUDY_MULTIVARIATE_GAP_H
#define HPM_STUDY_MULTIVARIATE_GAP_H

#include <stdint.h>

#include "study/multivariate/matrix.h"

enum {
    HPM_GAP_MOST = 10,
    HPM_GAP_SAMPLE = 5000 /* of more points so many, by chance, are enough */
};

struct hpm_gap {
    size_t n;        /* numbers of groups tried: 1 to n */
    size_t best;     /* the number of groups chosen, see below */
    size_t n_points; /* points that were looked at */
    struct hpm_gap_of {
        double gap;   /* mean of the log squares within for even points, minus
                       * that of the points; INFINITY if theirs is 0 */
        double error; /* its standard error, from 20 sets of even points */
    } of[HPM_GAP_MOST];
};

/* `best` is 1 if the gap of 1 is at least the largest gap minus its error; else
 * the first number from 2 on whose gap is at least the next gap minus its
 * error.  (The authors' rule lacks the first part, and finds one group where
 * three lie in a triangle.)  Uses k-means with `n_starts` starts.  False when
 * there is no memory. */
bool hpm_gap_find(struct hpm_gap *ret_gap, const struct hpm_matrix *matrix,
                  uint64_t seed, size_t n_starts);

#endif
