/* SPDX-License-Identifier: BSD-3-Clause
 * Are groups real?  Three answers that do not share their weak sides:
 *
 *   silhouette   the groups are far apart, whatever chance would do
 *   gap          they are tighter than groups of points that are spread evenly in
 *                the same box along the principal components, by so many standard
 *                errors (R. Tibshirani, G. Walther and T. Hastie, Journal of the
 *                Royal Statistical Society B 63, 2001): a long cloud is no groups
 *   p            how often groups are so far apart when each column is shuffled by
 *                itself: columns must agree who is in which group
 * */
#ifndef HPM_STUDY_MULTIVARIATE_SEPARATION_H
#define HPM_STUDY_MULTIVARIATE_SEPARATION_H

#include <stdint.h>

#include "study/multivariate/grouping.h"

struct hpm_separation {
    double silhouette, gap, p;
};

/* Of groups of the rows, two columns or more.  What takes longer is only looked
 * for where what came before says yes: else the gap stays -INFINITY, p 1, or is
 * above 0.01 without being known better.  False when there is no memory. */
bool hpm_separation_find(const struct hpm_grouping_of_points *groups,
                         const struct hpm_matrix *matrix, uint64_t seed,
                         struct hpm_separation *ret_separation);

#define HPM_SEPARATION_SILHOUETTE 0.5

/* Do all three say so?  (At least that, 3 standard errors, and at most 0.01.) */
bool hpm_separation_is_clear(const struct hpm_separation *separation);

#endif
