/* SPDX-License-Identifier: BSD-3-Clause
 * What the members of a group of points have in common that the others do not
 * have: "thread 0 of each task", "tasks 0 to 3", "host node1", "every 8th task
 * from 0", "threads 0, 2-4 of each task", "corners of 8 x 8 tasks", or, where tasks say
 * their grid, "corners of the Cartesian grid of 8 x 8 tasks"; of single calls "calls 1
 * to 400".  Where something of that is not there, or was left out: "thread 2 of 7 of 8
 * tasks", "tasks 0 to 7, 1 of them missing". */
#ifndef HPM_STUDY_ANALYSIS_MEMBERSHIP_H
#define HPM_STUDY_ANALYSIS_MEMBERSHIP_H

#include "study/analysis/observations.h"

/* Append it for those points whose label is `label`; where nothing is true of
 * all of them and of none of the others, the members, as many as
 * fit, and the result is false. */
bool hpm_membership_add(const struct hpm_observations *observations,
                        const size_t *labels, size_t label,
                        struct hpm_string *string);

/* Are they all the points of one host? */
bool hpm_membership_is_host(const struct hpm_observations *observations,
                            const size_t *labels, size_t label);

#endif
