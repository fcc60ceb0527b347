/* SPDX-License-Identifier: BSD-3-Clause
 * Very many points, represented by few small groups of points near each other,
 * and Ward's tree of these groups, each weighted with its number of points: an
 * approximate tree of all points.  The time for a tree of all points grows with
 * the square of their number.
 *
 * The places of the small groups are found by a few passes of k-means
 * (kmeans.h) on a sample, and each point joins the nearest one. */
#ifndef HPM_STUDY_MULTIVARIATE_SMALLGROUPS_H
#define HPM_STUDY_MULTIVARIATE_SMALLGROUPS_H

#include <stdint.h>

#include "study/multivariate/grouping.h"
#include "study/multivariate/tree.h"

enum { HPM_SMALLGROUPS_USUAL = 500 };

/* Make at most n_groups; fewer if fewer points differ.  False, and nothing to
 * clear, when there is no memory. */
bool hpm_smallgroups_init(struct hpm_grouping_of_points *ret_groups,
                          const struct hpm_matrix *matrix, size_t n_groups,
                          uint64_t seed);

/* The groups' tree, by Ward's linkage: its points are the small groups. */
bool hpm_smallgroups_tree(const struct hpm_grouping_of_points *groups,
                          struct hpm_tree *ret_tree);

/* Cut the tree into k clusters, at most as many as there are small groups; then
 * each point joins the nearest mean of these, once, since a small group may lie
 * across a border.  ret_labels[] has a cluster, below *ret_k, for each point; a
 * cluster without a nearest point is left out. */
bool hpm_smallgroups_cut(const struct hpm_grouping_of_points *groups,
                         const struct hpm_tree *tree,
                         const struct hpm_matrix *matrix, size_t k,
                         size_t *ret_labels, size_t *ret_k);

#endif
