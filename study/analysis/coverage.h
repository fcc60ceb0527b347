/* SPDX-License-Identifier: BSD-3-Clause
 * How much of what a name says is in a group: "thread 2 of each task" is true only
 * if each task that has the section has a thread 2, with all values, and it is a
 * member. */
#ifndef HPM_STUDY_ANALYSIS_COVERAGE_H
#define HPM_STUDY_ANALYSIS_COVERAGE_H

#include "study/analysis/observations.h"

/* The number of a task, a thread or a call. */
typedef int hpm_number_of_point(const struct hpm_point *point);

/* What has such a number of its own. */
enum hpm_coverage_owner {
    HPM_COVERAGE_OF_ALL,
    HPM_COVERAGE_OF_TASK,
    HPM_COVERAGE_OF_THREAD
};

struct hpm_coverage {
    size_t n_owners; /* of all points, with those that were left out */
    size_t n_with;   /* that have a member */
    size_t n_there;  /* numbers of members, once for each owner */
};

struct hpm_coverage
hpm_coverage_find(const struct hpm_observations *observations,
                  const size_t *labels, size_t label,
                  hpm_number_of_point *number, enum hpm_coverage_owner owner);

/* How many points of the host were left out. */
size_t hpm_coverage_lacking(const struct hpm_observations *observations,
                            const char *host);

#endif
