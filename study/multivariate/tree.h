/* SPDX-License-Identifier: BSD-3-Clause
 * The tree of an agglomerative clustering (dendrogram): n points, and n - 1
 * merges of two clusters each, the closest first. */
#ifndef HPM_STUDY_MULTIVARIATE_TREE_H
#define HPM_STUDY_MULTIVARIATE_TREE_H

#include "study/multivariate/matrix.h"

/* A cluster is a point p as -1 - p, or the result of merge m as m + 1, as in
 * R's hclust.  Of two points the lower comes first, a point comes before a
 * merge, and of two merges the earlier one, which is the tighter. */
struct hpm_tree_merge {
    long a, b;
    double height;
    size_t size; /* points in it */
};

struct hpm_tree {
    size_t n_points;
    struct hpm_tree_merge *merges; /* n_points - 1, or none */
};

/* An edge of a tree that is being made: two points, each of which stands for
 * its cluster. */
struct hpm_tree_edge {
    size_t a, b;
    double height;
    size_t order; /* set by the caller: of equal heights the lower comes
                   * first */
};

/* Make the tree of n - 1 edges, which it sorts.  `weights`, the number of
 * points that each point stands for, may be NULL.  False when there is no
 * memory. */
bool hpm_tree_init(struct hpm_tree *tree, size_t n_points,
                   struct hpm_tree_edge *edges, const size_t *weights);
void hpm_tree_clear(struct hpm_tree *tree);

/* The points from left to right. */
bool hpm_tree_order(const struct hpm_tree *tree, size_t *ret_points);

/* Cut into k clusters (1 to n): the label of each point, from 0, in the order
 * of appearance. */
bool hpm_tree_cut(const struct hpm_tree *tree, size_t k, size_t *ret_labels);

/* The number of clusters below a height. */
size_t hpm_tree_count_below(const struct hpm_tree *tree, double height);

/* The correlation of the distance of two points with the height at which the
 * tree joins them, over all pairs; NAN if all are the same, or there is no
 * memory.  Computes n^2 / 2 distances. */
double hpm_tree_cophenetic(const struct hpm_tree *tree,
                           const struct hpm_matrix *matrix);

#endif
