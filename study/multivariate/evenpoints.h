/* SPDX-License-Identifier: BSD-3-Clause
 * Random points without groups: spread evenly in a box around other points,
 * along their principal components, so that a long cloud has a long box. */
#ifndef HPM_STUDY_MULTIVARIATE_EVENPOINTS_H
#define HPM_STUDY_MULTIVARIATE_EVENPOINTS_H

#include "study/inference/random.h"
#include "study/multivariate/matrix.h"

struct hpm_evenpoints {
    size_t n;           /* components */
    double *low, *high; /* of each: the range of the points */
};

/* False, and nothing to clear, when there is no memory. */
bool hpm_evenpoints_init(struct hpm_evenpoints *points,
                         const struct hpm_matrix *matrix);
void hpm_evenpoints_clear(struct hpm_evenpoints *points);

/* Fill a matrix of the same size. */
void hpm_evenpoints_fill(const struct hpm_evenpoints *points,
                         struct hpm_random *random, struct hpm_matrix *matrix);

#endif
