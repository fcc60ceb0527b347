/* SPDX-License-Identifier: BSD-3-Clause
 * Very many points, represented by few small groups. */
#include "study/multivariate/smallgroups.h"

#include <string.h>

#include "host/memory.h"
#include "study/inference/random.h"
#include "study/multivariate/agglomeration.h"
#include "study/multivariate/kmeans.h"

/* ---- nearest means -------------------------------------------------- */

enum {
    BLOCK = 512
}; /* points whose distances fit into the first-level cache */

static void
find_nearest(const struct hpm_matrix *matrix, size_t first, size_t n,
             const double *means, size_t n_means, size_t *labels)
{
    double squares[BLOCK], nearest[BLOCK];

    hpm_matrix_distances(matrix, first, n, means, nearest);
    memset(labels, 0, n * sizeof *labels);
    for (size_t c = 1; c < n_means; c++) {
        hpm_matrix_distances(matrix, first, n, means + c * matrix->n_columns,
                             squares);
        for (size_t i = 0; i < n; i++) {
            bool is_nearer = squares[i] < nearest[i];

            labels[i] = is_nearer ? c : labels[i];
            nearest[i] = is_nearer ? squares[i] : nearest[i];
        }
    }
}

/* Means without a nearest point are left out. */
static bool
number_anew(size_t *labels, size_t n, size_t n_means, size_t *ret_k)
{
    size_t *names = hpm_memory_new(n_means + 1, sizeof *names), k = 0;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (names[labels[i]] == 0)
            names[labels[i]] = ++k;
        labels[i] = names[labels[i]] - 1;
    }
    hpm_memory_free(names);
    *ret_k = k;
    return true;
}

/* The nearest row of `means` to each point. */
static bool
join_nearest(const struct hpm_matrix *matrix, const struct hpm_matrix *means,
             size_t *ret_labels, size_t *ret_k)
{
    size_t n = matrix->n_rows, p = means->n_columns;
    double *rows = hpm_memory_new(means->n_rows * p + 1, sizeof *rows);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < means->n_rows * p; i++)
        rows[i] = hpm_matrix_get(means, i / p, i % p);
    for (size_t first = 0; first < n; first += BLOCK)
        find_nearest(matrix, first, n - first < BLOCK ? n - first : BLOCK, rows,
                     means->n_rows, ret_labels + first);
    hpm_memory_free(rows);
    return number_anew(ret_labels, n, means->n_rows, ret_k);
}

/* ---- the small groups ----------------------------------------------- */

/* Points per group in the sample, so that a group's place does not depend on
 * one point. */
enum { OF_EACH = 50, PASSES = 5 };

static bool
find_places(struct hpm_grouping_of_points *ret_places,
            const struct hpm_matrix *matrix, size_t n_groups, uint64_t seed)
{
    const struct hpm_kmeans_options how = {
        .k = n_groups, .seed = seed, .n_starts = 1, .most_passes = PASSES};
    struct hpm_matrix sample;
    bool is_good;

    if (matrix->n_rows <= OF_EACH * n_groups)
        return hpm_kmeans_run(ret_places, matrix, &how);
    if (!hpm_kmeans_sample(&sample, matrix, OF_EACH * n_groups, seed))
        return false;
    is_good = hpm_kmeans_run(ret_places, &sample, &how);
    hpm_matrix_clear(&sample);
    return is_good;
}

bool
hpm_smallgroups_init(struct hpm_grouping_of_points *ret_groups,
                     const struct hpm_matrix *matrix, size_t n_groups,
                     uint64_t seed)
{
    struct hpm_grouping_of_points places;
    size_t *labels, k = 0;
    bool is_good;

    if (!find_places(&places, matrix, n_groups, seed))
        return false;
    labels = hpm_memory_new(matrix->n_rows + 1, sizeof *labels);
    is_good = labels != NULL &&
              join_nearest(matrix, &places.means, labels, &k) &&
              hpm_grouping_init(ret_groups, matrix, labels, k);
    hpm_grouping_clear(&places);
    hpm_memory_free(labels);
    return is_good;
}

bool
hpm_smallgroups_tree(const struct hpm_grouping_of_points *groups,
                     struct hpm_tree *ret_tree)
{
    return hpm_agglomeration_run(ret_tree, &groups->means, HPM_LINKAGE_WARD,
                                 groups->sizes);
}

/* ---- a cut ---------------------------------------------------------- */

bool
hpm_smallgroups_cut(const struct hpm_grouping_of_points *groups,
                    const struct hpm_tree *tree,
                    const struct hpm_matrix *matrix, size_t k,
                    size_t *ret_labels, size_t *ret_k)
{
    size_t *clusters = hpm_memory_new(groups->k + 1, sizeof *clusters);
    struct hpm_grouping_of_points cut;
    bool is_good = clusters != NULL && hpm_tree_cut(tree, k, clusters);

    for (size_t i = 0; i < matrix->n_rows && is_good; i++)
        ret_labels[i] = clusters[groups->labels[i]];
    hpm_memory_free(clusters);
    if (!is_good || !hpm_grouping_init(&cut, matrix, ret_labels,
                                       k < groups->k ? k : groups->k))
        return false;
    is_good = join_nearest(matrix, &cut.means, ret_labels, ret_k);
    hpm_grouping_clear(&cut);
    return is_good;
}
