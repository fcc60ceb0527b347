/* SPDX-License-Identifier: BSD-3-Clause
 * Agglomerative hierarchical clustering by Euclidean distance: at first each
 * point is a cluster, then the two closest are merged, again and again.
 *
 *   single    the distance of two clusters is that of their closest points
 *   complete  that of their farthest points
 *   average   the mean over all pairs of their points (UPGMA)
 *   ward      sqrt(2 na nb / (na + nb)) times that of their means (ward.D2 of
 *             R): the merge that adds least to the squares inside of clusters
 *
 * Single is the minimum spanning tree (R. C. Prim, Bell System Technical
 * Journal 36, 1957), the others follow chains of nearest neighbours (F.
 * Murtagh, The Computer Journal 26, 1983).  Of clusters at one distance the one
 * before in the chain is taken, else the lowest, so that the tree is always the
 * same. */
#ifndef HPM_STUDY_MULTIVARIATE_AGGLOMERATION_H
#define HPM_STUDY_MULTIVARIATE_AGGLOMERATION_H

#include "study/multivariate/tree.h"

enum hpm_linkage {
    HPM_LINKAGE_SINGLE,
    HPM_LINKAGE_COMPLETE,
    HPM_LINKAGE_AVERAGE,
    HPM_LINKAGE_WARD
};

/* Memory in bytes, beside the matrix: 4 n^2 for complete and average, a copy of
 * the matrix for the others. */
size_t hpm_agglomeration_bytes(enum hpm_linkage linkage, size_t n_rows,
                               size_t n_columns);

/* The tree of the rows.  `weights` tells how many points at the same place each
 * row stands for, and is used only by ward; NULL: one each.  False, and nothing
 * to clear, when there is no memory. */
bool hpm_agglomeration_run(struct hpm_tree *ret_tree,
                           const struct hpm_matrix *matrix,
                           enum hpm_linkage linkage, const size_t *weights);

#endif
