/* SPDX-License-Identifier: BSD-3-Clause
 * How many groups there are, or none, by the gap statistic (R. Tibshirani, G.
 * Walther and T. Hastie, Journal of the Royal Statistical Society B 63, 2001): how
 * much tighter groups are than those of points spread evenly in the same box. */
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
    size_t best;     /* see below */
    size_t n_points; /* that were looked at */
    struct hpm_gap_of {
        double gap;   /* mean of log squares within of even points, less ours;
                       * INFINITY where ours are 0 */
        double error; /* its standard error, by 20 times even points */
    } of[HPM_GAP_MOST];
};

/* Best is 1 where its gap is not below the largest less the error of that, else the
 * first number from 2 on whose gap is not below the next one less its error.  (The
 * authors' rule has no first part, and finds one group where three lie in a
 * triangle.)  Of k-means with so many starts.  False when there is no memory. */
bool hpm_gap_find(struct hpm_gap *ret_gap, const struct hpm_matrix *matrix,
                  uint64_t seed, size_t n_starts);

#endif
