/* SPDX-License-Identifier: BSD-3-Clause
 * Which metrics of a section say the same, by factor analysis, in words and
 * tables. */
#ifndef HPM_STUDY_ANALYSIS_FACTORREPORT_H
#define HPM_STUDY_ANALYSIS_FACTORREPORT_H

#include "study/analysis/observations.h"

struct hpm_factor_options {
    size_t n_factors; /* 0: as many as have an eigenvalue above 1 */
    double threshold; /* a loading at least so far from 0 puts a metric into a
                       * group */
    uint64_t seed;
};

/* Of at least 3 points and 3 columns.  False, and why, where there are not so
 * many factors, or no memory. */
bool hpm_factorreport_describe(const struct hpm_observations *observations,
                               const struct hpm_factor_options *options,
                               struct hpm_account *account,
                               struct hpm_error *err);

#endif
