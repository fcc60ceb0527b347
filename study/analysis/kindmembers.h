/* SPDX-License-Identifier: BSD-3-Clause
 * Who is in which group of threads, for what shows only some of them. */
#ifndef HPM_STUDY_ANALYSIS_KINDMEMBERS_H
#define HPM_STUDY_ANALYSIS_KINDMEMBERS_H

#include "study/analysis/clusters.h"

/* Start from {0}: there are no groups. */
struct hpm_kindmembers {
    size_t n_groups;
    struct hpm_kindgroup {
        struct hpm_string name; /* what they have in common, or some of them */
        size_t n;
    } groups[HPM_CLUSTERS_MOST];
    bool are_threads; /* of tasks; else they are tasks */
    size_t n;
    uint32_t *places; /* per point: its place in the study */
    size_t *labels;   /* the same: its group */
};

void hpm_kindmembers_clear(struct hpm_kindmembers *members);

/* Those of groups of threads; of single calls, or more groups than there is room
 * for, none.  False when there is no memory. */
bool hpm_kindmembers_take(struct hpm_kindmembers *members,
                          const struct hpm_clusters *clusters);

#endif
