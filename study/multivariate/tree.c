/* SPDX-License-Identifier: BSD-3-Clause
 * The tree of an agglomerative clustering. */
#include "study/multivariate/tree.h"

#include <math.h>
#include <stdlib.h>

#include "host/memory.h"

/* ---- the cluster of a point ----------------------------------------- */

static size_t
find_root(size_t *parents, size_t point)
{
    while (parents[point] != point) {
        parents[point] = parents[parents[point]];
        point = parents[point];
    }
    return point;
}

static size_t *
new_roots(size_t n)
{
    size_t *parents = hpm_memory_new(n + 1, sizeof *parents);

    for (size_t i = 0; i < n && parents != NULL; i++)
        parents[i] = i;
    return parents;
}

/* ---- making a tree -------------------------------------------------- */

static int
compare_edges(const void *a, const void *b)
{
    const struct hpm_tree_edge *left = a, *right = b;

    if (left->height < right->height)
        return -1;
    if (left->height > right->height)
        return 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Order the two as struct hpm_tree_merge requires. */
static void
put_in_order(struct hpm_tree_merge *merge, long a, long b)
{
    bool are_points = a < 0 && b < 0;
    bool is_swapped = are_points ? a < b : a > b;

    merge->a = is_swapped ? b : a;
    merge->b = is_swapped ? a : b;
}

bool
hpm_tree_init(struct hpm_tree *tree, size_t n_points,
              struct hpm_tree_edge *edges, const size_t *weights)
{
    size_t n_merges = n_points > 0 ? n_points - 1 : 0;
    size_t *parents = new_roots(n_points);
    size_t *sizes = hpm_memory_new(n_points + 1, sizeof *sizes);
    long *names = hpm_memory_new(n_points + 1, sizeof *names);

    *tree = (struct hpm_tree){
        .n_points = n_points,
        .merges = hpm_memory_new(n_merges + 1, sizeof *tree->merges)};
    if (parents == NULL || sizes == NULL || names == NULL ||
        tree->merges == NULL)
        n_merges = 0;
    for (size_t i = 0; i < n_points && n_merges > 0; i++) {
        names[i] = -1 - (long)i;
        sizes[i] = weights != NULL ? weights[i] : 1;
    }
    qsort(edges, n_merges, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n_merges; i++) {
        size_t a = find_root(parents, edges[i].a);
        size_t b = find_root(parents, edges[i].b);

        put_in_order(&tree->merges[i], names[a], names[b]);
        tree->merges[i].height = edges[i].height;
        tree->merges[i].size = sizes[a] + sizes[b];
        parents[b] = a;
        sizes[a] += sizes[b];
        names[a] = (long)i + 1;
    }
    if (parents == NULL || sizes == NULL || names == NULL)
        hpm_tree_clear(tree);
    hpm_memory_free(parents);
    hpm_memory_free(sizes);
    hpm_memory_free(names);
    return tree->merges != NULL;
}

void
hpm_tree_clear(struct hpm_tree *tree)
{
    hpm_memory_free(tree->merges);
    *tree = (struct hpm_tree){0};
}

/* ---- reading a tree ------------------------------------------------- */

/* With a stack instead of recursion: a tree of single linkage may be as deep as
 * it has points. */
bool
hpm_tree_order(const struct hpm_tree *tree, size_t *ret_points)
{
    long *stack = hpm_memory_new(tree->n_points + 2, sizeof *stack);
    size_t n_stack = 0, n = 0;

    if (stack == NULL)
        return false;
    if (tree->n_points > 0)
        stack[n_stack++] = (long)tree->n_points - 1;
    if (tree->n_points == 1)
        stack[0] = -1;
    while (n_stack > 0) {
        long top = stack[--n_stack];

        if (top < 0) {
            ret_points[n++] = (size_t)(-1 - top);
        } else {
            stack[n_stack++] = tree->merges[top - 1].b;
            stack[n_stack++] = tree->merges[top - 1].a;
        }
    }
    hpm_memory_free(stack);
    return true;
}

/* Any point of a cluster; points[] has one for each merge so far. */
static size_t
point_of(const size_t *points, long cluster)
{
    return cluster < 0 ? (size_t)(-1 - cluster) : points[cluster - 1];
}

bool
hpm_tree_cut(const struct hpm_tree *tree, size_t k, size_t *ret_labels)
{
    size_t n = tree->n_points, n_labels = 0;
    size_t *parents = new_roots(n);
    size_t *points = hpm_memory_new(n + 1, sizeof *points);
    size_t *labels = hpm_memory_new(n + 1, sizeof *labels);
    bool is_good = parents != NULL && points != NULL && labels != NULL;

    for (size_t i = 0; i + k < n && is_good; i++) {
        size_t a = point_of(points, tree->merges[i].a);

        parents[find_root(parents, point_of(points, tree->merges[i].b))] =
            find_root(parents, a);
        points[i] = a;
    }
    for (size_t i = 0; i < n && is_good; i++) {
        size_t root = find_root(parents, i);

        if (labels[root] == 0)
            labels[root] = ++n_labels;
        ret_labels[i] = labels[root] - 1;
    }
    hpm_memory_free(parents);
    hpm_memory_free(points);
    hpm_memory_free(labels);
    return is_good;
}

size_t
hpm_tree_count_below(const struct hpm_tree *tree, double height)
{
    size_t n = tree->n_points;

    for (size_t i = 0; i + 1 < tree->n_points; i++)
        n -= tree->merges[i].height <= height;
    return n;
}

/* ---- cophenetic correlation ----------------------------------------- */

struct pairs {
    double n, sum_d, sum_h, sum_dd, sum_hh, sum_dh;
};

static double
distance(const struct hpm_matrix *matrix, size_t a, size_t b)
{
    double square = 0.0;

    for (size_t j = 0; j < matrix->n_columns; j++) {
        double off =
            hpm_matrix_get(matrix, a, j) - hpm_matrix_get(matrix, b, j);

        square += off * off;
    }
    return sqrt(square);
}

/* The points of a cluster are neighbours in the order of the tree: a merge
 * joins those from range[0] to range[1] with those up to range[2].  `off`, a
 * typical distance, is subtracted from both numbers, so that the sums of
 * squares lose no digits. */
static void
add_merge(struct pairs *pairs, const struct hpm_matrix *matrix,
          const size_t *order, const size_t range[3], double height, double off)
{
    for (size_t i = range[0]; i < range[1]; i++) {
        for (size_t j = range[1]; j < range[2]; j++) {
            double d = distance(matrix, order[i], order[j]) - off;
            double h = height - off;

            pairs->n++;
            pairs->sum_d += d;
            pairs->sum_h += h;
            pairs->sum_dd += d * d;
            pairs->sum_hh += h * h;
            pairs->sum_dh += d * h;
        }
    }
}

static void
add_all(struct pairs *pairs, const struct hpm_tree *tree,
        const struct hpm_matrix *matrix, const size_t *order, size_t *firsts,
        const size_t *places)
{
    size_t n_merges = tree->n_points - 1;
    double off = tree->merges[n_merges / 2].height;

    for (size_t i = 0; i < n_merges; i++) {
        const struct hpm_tree_merge *merge = &tree->merges[i];
        size_t first =
            merge->a < 0 ? places[-1 - merge->a] : firsts[merge->a - 1];
        size_t n_a = merge->a < 0 ? 1 : tree->merges[merge->a - 1].size;
        const size_t range[3] = {first, first + n_a, first + merge->size};

        firsts[i] = first;
        add_merge(pairs, matrix, order, range, merge->height, off);
    }
}

double
hpm_tree_cophenetic(const struct hpm_tree *tree,
                    const struct hpm_matrix *matrix)
{
    size_t n = tree->n_points;
    size_t *order = hpm_memory_new(n + 1, sizeof *order);
    size_t *firsts = hpm_memory_new(n + 1, sizeof *firsts);
    size_t *places = hpm_memory_new(n + 1, sizeof *places);
    struct pairs pairs = {0};
    double squares;

    if (n > 2 && order != NULL && firsts != NULL && places != NULL &&
        hpm_tree_order(tree, order)) {
        for (size_t i = 0; i < n; i++)
            places[order[i]] = i;
        add_all(&pairs, tree, matrix, order, firsts, places);
    }
    hpm_memory_free(order);
    hpm_memory_free(firsts);
    hpm_memory_free(places);
    squares = (pairs.sum_dd - pairs.sum_d * pairs.sum_d / pairs.n) *
              (pairs.sum_hh - pairs.sum_h * pairs.sum_h / pairs.n);
    return pairs.n > 0.0 && squares > 0.0
               ? (pairs.sum_dh - pairs.sum_d * pairs.sum_h / pairs.n) /
                     sqrt(squares)
               : NAN;
}
