/* SPDX-License-Identifier: BSD-3-Clause
 * The tree of an agglomerative clustering (dendrogram): n points, and n - 1
 * merges of two clusters each, the closest first. */
#ifndef HPM_STUDY_MULTIVARIATE_TREE_H
#define HPM_STUDY_MULTIVARIATE_TREE_H

#include "study/multivariate/matrix.h"

/* A cluster is a point p as -1 - p, or the one that merge m made as m + 1, as
 * R's hclust has them.  Of two points the lower comes first, a point comes
 * before a merge, and of two merges the earlier, which is the tighter, does. */
struct hpm_tree_merge {
    long a, b;
    double height;
    size_t size; /* points in it */
};

struct hpm_tree {
    size_t n_points;
    struct hpm_tree_merge *merges; /* n_points - 1, or none */
};

/* A tree in the making: two points, of which each is any of its cluster. */
struct hpm_tree_edge {
    size_t a, b;
    double height;
    size_t order; /* the caller's: of equal heights the lower comes first */
};

/* The tree of n - 1 edges, which are sorted by it.  `weights`, how many points
 * each point is, may be NULL.  False when there is no memory. */
bool hpm_tree_init(struct hpm_tree *tree, size_t n_points,
                   struct hpm_tree_edge *edges, const size_t *weights);
void hpm_tree_clear(struct hpm_tree *tree);

/* The points from left to right. */
bool hpm_tree_order(const struct hpm_tree *tree, size_t *ret_points);

/* Into k clusters (1 to n): which one each point is in, from 0, numbered as
 * they appear. */
bool hpm_tree_cut(const struct hpm_tree *tree, size_t k, size_t *ret_labels);

/* How many clusters there are below a height. */
size_t hpm_tree_count_below(const struct hpm_tree *tree, double height);

/* The correlation of the distance of two points with the height at which the
 * tree joins them, over all pairs; NAN where all are the same, or there is no
 * memory. Takes n^2 / 2 distances. */
double hpm_tree_cophenetic(const struct hpm_tree *tree,
                           const struct hpm_matrix *matrix);

#endif
