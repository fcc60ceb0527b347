/* SPDX-License-Identifier: BSD-3-Clause
 * Very many points as few small groups of points that are near to each other, and
 * Ward's tree of these, each with the number of its points: an approximate tree of
 * all.  A tree of each point takes the square of their number in time.
 *
 * Places of small groups are found by k-means of a sample (kmeans.h), a few passes
 * of it, and each point joins the nearest. */
#ifndef HPM_STUDY_MULTIVARIATE_SMALLGROUPS_H
#define HPM_STUDY_MULTIVARIATE_SMALLGROUPS_H

#include <stdint.h>

#include "study/multivariate/grouping.h"
#include "study/multivariate/tree.h"

enum { HPM_SMALLGROUPS_USUAL = 500 };

/* At most n_groups: fewer where fewer points differ.  False, and nothing to
 * clear, when there is no memory. */
bool hpm_smallgroups_init(struct hpm_grouping_of_points *ret_groups,
                          const struct hpm_matrix *matrix, size_t n_groups,
                          uint64_t seed);

/* Their tree by the linkage ward: its points are the small groups. */
bool hpm_smallgroups_tree(const struct hpm_grouping_of_points *groups,
                          struct hpm_tree *ret_tree);

/* Into k clusters by a cut of the tree, at most as many as there are small
 * groups; then each point joins the nearest mean of these, once, since a small
 * group may lie across a border.  ret_labels[] has a cluster, below *ret_k, for
 * each point: one that no point is nearest to is left out. */
bool hpm_smallgroups_cut(const struct hpm_grouping_of_points *groups,
                         const struct hpm_tree *tree,
                         const struct hpm_matrix *matrix, size_t k,
                         size_t *ret_labels, size_t *ret_k);

#endif
