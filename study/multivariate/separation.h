/* SPDX-License-Identifier: BSD-3-Clause
 * Are groups real?  Three tests with different weaknesses:
 *
 *   silhouette  the groups are far apart, even if by chance
 *   gap         they are tighter than groups of points that are spread evenly
 *               in the same box along the principal components, by this number
 *               of standard errors (R. Tibshirani, G. Walther and T. Hastie,
 *               Journal of the Royal Statistical Society B 63, 2001): a long
 *               cloud has no groups
 *   p           how often groups are as far apart when each column is shuffled
 *               by itself: the columns must agree about the groups
 */
#ifndef HPM_STUDY_MULTIVARIATE_SEPARATION_H
#define HPM_STUDY_MULTIVARIATE_SEPARATION_H

#include <stdint.h>

#include "study/multivariate/grouping.h"

struct hpm_separation {
    double silhouette, gap, p;
};

/* Test groups of the rows; there must be two columns or more.  Each slower test
 * is made only if the tests before it succeeded: else the gap stays -INFINITY,
 * and p stays 1 or is only known to be above 0.01.  False when there is no
 * memory. */
bool hpm_separation_find(const struct hpm_grouping_of_points *groups,
                         const struct hpm_matrix *matrix, uint64_t seed,
                         struct hpm_separation *ret_separation);

#define HPM_SEPARATION_SILHOUETTE 0.5

/* Do all three tests succeed?  (At least this silhouette, a gap of 3 standard
 * errors, p at most 0.01.) */
bool hpm_separation_is_clear(const struct hpm_separation *separation);

#endif
