/* SPDX-License-Identifier: BSD-3-Clause
 * Which points of a section are alike. */
#include <math.h>

#include "host/memory.h"
#include "study/analysis/clusters.h"
#include "study/multivariate/kmeans.h"
#include "study/multivariate/smallgroups.h"

static const size_t usual_bytes = (size_t)2000 << 20;

/* ---- groups
 * ------------------------------------------------------------------ */

/* The tree, into k groups; there may be fewer of an approximate one. */
static bool
cut(const struct hpm_clusters *clusters, size_t *k, size_t *ret_labels)
{
    if (clusters->leaves.k > 0)
        return hpm_smallgroups_cut(&clusters->leaves, &clusters->tree,
                                   &clusters->observations->preparation.matrix,
                                   *k, ret_labels, k);
    return hpm_tree_cut(&clusters->tree, *k, ret_labels);
}

static bool
group(const struct hpm_clusters *clusters, size_t k,
      struct hpm_grouping_of_points *ret_groups)
{
    const struct hpm_matrix *matrix =
        &clusters->observations->preparation.matrix;
    const struct hpm_kmeans_options how = {.k = k,
                                           .seed = clusters->options.seed,
                                           .n_starts =
                                               clusters->options.n_starts};
    size_t *labels;
    bool is_good;

    if (!clusters->options.is_cut)
        return hpm_kmeans_run(ret_groups, matrix, &how);
    labels = hpm_memory_new(matrix->n_rows + 1, sizeof *labels);
    is_good = labels != NULL && cut(clusters, &k, labels) &&
              hpm_grouping_init(ret_groups, matrix, labels, k);
    hpm_memory_free(labels);
    return is_good;
}

/* Groups of each number; false when there is no memory. */
static bool
try_choices(struct hpm_clusters *clusters)
{
    const struct hpm_matrix *matrix =
        &clusters->observations->preparation.matrix;
    bool is_good = true;

    for (size_t k = 2;
         k <= HPM_CLUSTERS_MOST && k <= matrix->n_rows / 2 && is_good; k++) {
        struct hpm_grouping_of_points groups;
        struct hpm_cluster_choice *choice;

        if (!group(clusters, k, &groups))
            return false;
        if (groups.k == k) {
            choice = &clusters->choices[clusters->n_choices++];
            choice->k = k;
            choice->pooled_f = hpm_grouping_pooled_f(&groups, matrix);
            choice->silhouette = hpm_grouping_silhouette(&groups, matrix, NULL);
            choice->within = groups.within;
            is_good = !isnan(choice->silhouette);
        }
        hpm_grouping_clear(&groups);
    }
    return is_good;
}

/* The number that tells most: by the paper's rule, which is what differs
 * between groups by what differs within them.  Where that is still growing with
 * the last number tried it has no largest value (so it is when one column is
 * chance, or values are evenly spaced), and the silhouette decides.  0 where no
 * number has natural groups. */
static size_t
choose_k(const struct hpm_clusters *clusters)
{
    const struct hpm_cluster_choice *choices = clusters->choices;
    size_t n = clusters->n_choices, best = 0, widest = 0;

    for (size_t i = 1; i < n; i++) {
        if (choices[i].pooled_f > choices[best].pooled_f)
            best = i;
        if (choices[i].silhouette > choices[widest].silhouette)
            widest = i;
    }
    if (n == 0 || choices[widest].silhouette < HPM_GROUPING_NATURAL)
        return 0;
    return choices[n > 2 && best + 1 == n ? widest : best].k;
}

/* One group, by the gap statistic, is none. */
static bool
find_k(struct hpm_clusters *clusters, size_t *ret_k)
{
    const struct hpm_cluster_options *options = &clusters->options;

    *ret_k = options->k;
    if (options->k > 0)
        return true;
    if (!options->is_by_gap) {
        *ret_k = choose_k(clusters);
        return true;
    }
    if (!hpm_gap_find(&clusters->gap,
                      &clusters->observations->preparation.matrix,
                      options->seed, options->n_starts))
        return false;
    *ret_k = clusters->gap.best > 1 ? clusters->gap.best : 0;
    return true;
}

static bool
make_groups(struct hpm_clusters *clusters)
{
    const struct hpm_matrix *matrix =
        &clusters->observations->preparation.matrix;
    size_t k;

    if (!try_choices(clusters) || !find_k(clusters, &k))
        return false;
    if (k == 0)
        return true;
    clusters->widths = hpm_memory_new(matrix->n_rows, sizeof(double));
    if (clusters->widths == NULL || !group(clusters, k, &clusters->groups))
        return false;
    clusters->pooled_f = hpm_grouping_pooled_f(&clusters->groups, matrix);
    clusters->silhouette =
        hpm_grouping_silhouette(&clusters->groups, matrix, clusters->widths);
    return !isnan(clusters->silhouette);
}

/* ---- the tree
 * ------------------------------------------------------------------ */

/* More points would take minutes; beyond, ward's tree is approximate. */
static size_t
most_points(enum hpm_linkage linkage)
{
    return linkage == HPM_LINKAGE_SINGLE ? 100000 : 50000;
}

static bool
make_approximate_tree(struct hpm_clusters *clusters)
{
    struct hpm_grouping_of_points *leaves = &clusters->leaves;

    if (!hpm_smallgroups_init(leaves,
                              &clusters->observations->preparation.matrix,
                              HPM_SMALLGROUPS_USUAL, clusters->options.seed))
        return false;
    clusters->firsts = hpm_memory_new(leaves->k, sizeof *clusters->firsts);
    if (clusters->firsts == NULL ||
        !hpm_smallgroups_tree(leaves, &clusters->tree))
        return false;
    for (size_t i = clusters->observations->preparation.matrix.n_rows; i-- > 0;)
        clusters->firsts[leaves->labels[i]] = i;
    return true;
}

static bool
make_tree(struct hpm_clusters *clusters)
{
    const struct hpm_matrix *matrix =
        &clusters->observations->preparation.matrix;
    const struct hpm_cluster_options *options = &clusters->options;
    size_t bytes = hpm_agglomeration_bytes(options->linkage, matrix->n_rows,
                                           matrix->n_columns);

    if (options->linkage == HPM_LINKAGE_WARD &&
        matrix->n_rows > most_points(HPM_LINKAGE_WARD))
        return make_approximate_tree(clusters);
    if (bytes > (options->most_bytes > 0 ? options->most_bytes : usual_bytes))
        clusters->why_no_tree = "it would take more memory than hpm cluster "
                                "--max-memory allows; --linkage ward takes "
                                "little";
    else if (matrix->n_rows > most_points(options->linkage))
        clusters->why_no_tree = "there are too many points for it; hpm cluster "
                                "--linkage ward makes an approximate one";
    else
        return hpm_agglomeration_run(&clusters->tree, matrix, options->linkage,
                                     NULL);
    return true;
}

static bool
check(const struct hpm_clusters *clusters, struct hpm_error *err)
{
    size_t n = clusters->observations->preparation.matrix.n_rows;

    if (clusters->options.k > n)
        return hpm_error_set(err, "%zu groups of %zu points cannot be made",
                             clusters->options.k, n);
    if (clusters->options.is_cut && clusters->tree.n_points == 0)
        return hpm_error_set(err, "there is no tree to cut: %s",
                             clusters->why_no_tree);
    if (clusters->options.is_cut && clusters->leaves.k > 0 &&
        clusters->options.k > clusters->leaves.k)
        return hpm_error_set(err,
                             "a cut of an approximate tree makes at most %zu "
                             "groups; run hpm cluster without --cut for %zu",
                             clusters->leaves.k, clusters->options.k);
    return true;
}

bool
hpm_clusters_init(struct hpm_clusters *clusters,
                  const struct hpm_observations *observations,
                  const struct hpm_cluster_options *options,
                  struct hpm_error *err)
{
    bool is_good;

    *clusters = (struct hpm_clusters){.observations = observations,
                                      .options = *options,
                                      .silhouette = NAN,
                                      .pooled_f = NAN};
    is_good = make_tree(clusters) || hpm_error_no_memory(err);
    is_good = is_good && check(clusters, err);
    if (is_good && !make_groups(clusters))
        is_good = hpm_error_no_memory(err);
    if (!is_good)
        hpm_clusters_clear(clusters);
    return is_good;
}

void
hpm_clusters_clear(struct hpm_clusters *clusters)
{
    hpm_tree_clear(&clusters->tree);
    hpm_grouping_clear(&clusters->leaves);
    hpm_memory_free(clusters->firsts);
    hpm_grouping_clear(&clusters->groups);
    hpm_memory_free(clusters->widths);
    *clusters = (struct hpm_clusters){0};
}
