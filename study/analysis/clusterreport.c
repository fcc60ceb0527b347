/* SPDX-License-Identifier: BSD-3-Clause
 * What clustering has found, in words, tables and drawings. */
#include "study/analysis/clusters.h"

#include <math.h>

#include "host/memory.h"
#include "study/analysis/drawing.h"
#include "study/analysis/membership.h"
#include "study/points/pointlabels.h"
#include "study/multivariate/kmeans.h"

static const char *const linkages[] = {[HPM_LINKAGE_SINGLE] = "single",
                                       [HPM_LINKAGE_COMPLETE] = "complete",
                                       [HPM_LINKAGE_AVERAGE] = "average",
                                       [HPM_LINKAGE_WARD] = "ward"};

static const struct hpm_matrix *
matrix_of(const struct hpm_clusters *clusters)
{
    return &clusters->observations->preparation.matrix;
}

/* ---- which groups
 * ---------------------------------------------------------------- */

/* What is not finite is no number of JSON: it is said in words. */
static void
add_large(struct hpm_table *table, double value)
{
    if (isinf(value))
        hpm_table_add_text(table, "infinite");
    else
        hpm_table_add_real(table, value);
}

/* So large a ratio is that of rounding, where all of a group are nearly equal. */
static void
add_ratio(struct hpm_table *table, double ratio)
{
    if (hpm_f_is_only_large(ratio))
        hpm_table_add_text(table, HPM_F_LARGE);
    else
        add_large(table, ratio);
}

static void
add_choices(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    struct hpm_table *table = hpm_account_add_table(
        account, HPM_ACCOUNT_TABLE, "choices",
        "How many groups? The pooled F is what differs between groups by what "
        "differs within them: the most tells most, unless it is still growing "
        "at the end. The silhouette says how "
        "much "
        "nearer points are to their own group than to the next: 1 is far "
        "apart, "
        "below 0.25 there are no natural groups.");

    if (table == NULL)
        return;
    hpm_table_add_column(table, "groups", NULL, 0);
    hpm_table_add_column(table, "pooled_f", "pooled F", 2);
    hpm_table_align_column(table);
    hpm_table_add_column(table, "silhouette", NULL, 3);
    hpm_table_add_column(table, "within", "squares within", 3);
    for (size_t i = 0; i < clusters->n_choices; i++) {
        hpm_table_add_count(table, clusters->choices[i].k);
        add_ratio(table, clusters->choices[i].pooled_f);
        hpm_table_add_real(table, clusters->choices[i].silhouette);
        hpm_table_add_real(table, clusters->choices[i].within);
    }
}

static void
add_gap(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    const struct hpm_gap *gap = &clusters->gap;
    struct hpm_table *table = NULL;

    if (gap->n_points < matrix_of(clusters)->n_rows)
        hpm_account_say(account,
                        "The gap is of %zu of the %zu points, drawn by chance.",
                        gap->n_points, matrix_of(clusters)->n_rows);
    table = hpm_account_add_table(
        account, HPM_ACCOUNT_TABLE, "gap",
        "How many, by the gap statistic? The gap is by how much groups are "
        "tighter than those of points spread evenly in the same box, as a "
        "logarithm. There is one where its gap is not below the largest less "
        "the error of that; else the first number is taken whose gap is not "
        "below the next one less its error.");

    if (table == NULL)
        return;
    hpm_table_add_column(table, "groups", NULL, 0);
    hpm_table_add_column(table, "gap", NULL, 3);
    hpm_table_align_column(table);
    hpm_table_add_column(table, "error", NULL, 3);
    for (size_t i = 0; i < gap->n; i++) {
        hpm_table_add_count(table, i + 1);
        add_large(table, gap->of[i].gap);
        hpm_table_add_real(table, gap->of[i].error);
    }
}

static double
mean_width(const struct hpm_clusters *clusters, size_t label)
{
    double sum = 0.0;

    for (size_t i = 0; i < matrix_of(clusters)->n_rows; i++)
        sum += clusters->groups.labels[i] == label ? clusters->widths[i] : 0.0;
    return sum / (double)clusters->groups.sizes[label];
}

static void
add_groups(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    struct hpm_table *table =
        hpm_account_add_table(account, HPM_ACCOUNT_TABLE, "groups", NULL);

    if (table == NULL)
        return;
    hpm_table_add_column(table, "group", NULL, 0);
    hpm_table_add_column(table, "points", NULL, 0);
    hpm_table_add_column(table, "silhouette", NULL, 3);
    hpm_table_add_column(table, "members", "what they are", 0);
    for (size_t c = 0; c < clusters->groups.k; c++) {
        struct hpm_string kind = {0};

        hpm_membership_add(clusters->observations, clusters->groups.labels, c,
                           &kind);
        hpm_table_add_count(table, c + 1);
        hpm_table_add_count(table, clusters->groups.sizes[c]);
        hpm_table_add_real(table, mean_width(clusters, c));
        hpm_table_add_string(table, &kind);
    }
}

/* ---- what tells them apart
 * ------------------------------------------------------- */

enum { MOST_MEANS = 10 };

static const char *const mean_names[MOST_MEANS] = {
    "mean_1", "mean_2", "mean_3", "mean_4", "mean_5",
    "mean_6", "mean_7", "mean_8", "mean_9", "mean_10"};

static const char *const mean_headings[MOST_MEANS] = {
    "mean of 1", "mean of 2", "mean of 3", "mean of 4", "mean of 5",
    "mean of 6", "mean of 7", "mean of 8", "mean of 9", "mean of 10"};

/* As it was measured: the first of the members, and the mean of what the others are
 * more than that, so that equal ones have no other mean. */
static double
mean_of(const struct hpm_clusters *clusters, size_t column, size_t label)
{
    const struct hpm_preparation *preparation =
        &clusters->observations->preparation;
    const double *values =
        hpm_observations_column(clusters->observations, column)->values;
    double first = 0.0, sum = 0.0;

    for (size_t i = preparation->matrix.n_rows; i-- > 0;) {
        if (clusters->groups.labels[i] == label)
            first = values[preparation->rows[i]];
    }
    for (size_t i = 0; i < preparation->matrix.n_rows; i++) {
        if (clusters->groups.labels[i] == label)
            sum += values[preparation->rows[i]] - first;
    }
    return first + sum / (double)clusters->groups.sizes[label];
}

static void
add_ratio_columns(struct hpm_table *table, size_t n_means)
{
    hpm_table_add_column(table, "metric", NULL, 0);
    hpm_table_add_column(table, "ratio", "B/W", 3);
    hpm_table_align_column(table);
    hpm_table_add_column(table, "f", "F", 2);
    hpm_table_align_column(table);
    hpm_table_add_column(table, "r2", "R2", 3);
    hpm_table_add_column(table, "p", NULL, 4);
    hpm_table_rank_column(table, 2);
    for (size_t c = 0; c < n_means; c++) {
        hpm_table_add_column(table, mean_names[c], mean_headings[c], 3);
        hpm_table_rank_column(table, 1);
    }
}

/* The largest first, which is the same order by B/W and by F. */
static void
sort_ratios(const struct hpm_f_ratio *ratios, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;

        for (; at > 0 && ratios[order[at - 1]].ratio < ratios[i].ratio; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void
add_ratios(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    size_t n = matrix_of(clusters)->n_columns;
    size_t n_means =
        clusters->groups.k < MOST_MEANS ? clusters->groups.k : MOST_MEANS;
    struct hpm_f_ratio *ratios = hpm_memory_new(n + 1, sizeof *ratios);
    size_t *order = hpm_memory_new(n + 1, sizeof *order);
    struct hpm_table *table = hpm_account_add_table(
        account, HPM_ACCOUNT_TABLE, "metrics",
        "What tells the groups apart? B/W is the spread between the groups by "
        "that within them: what differs most comes first. F is the same by "
        "their degrees of freedom, R2 the part of the spread that the groups "
        "explain. p only describes: the groups were made of these numbers.");

    if (table == NULL || ratios == NULL || order == NULL) {
        account->failed = true;
        hpm_memory_free(ratios);
        hpm_memory_free(order);
        return;
    }
    add_ratio_columns(table, n_means);
    hpm_grouping_f_ratios(&clusters->groups, matrix_of(clusters), ratios);
    sort_ratios(ratios, order, n);
    for (size_t i = 0; i < n; i++) {
        const struct hpm_f_ratio *ratio = &ratios[order[i]];

        hpm_table_add_text(
            table,
            hpm_observations_column(clusters->observations, order[i])->name);
        add_ratio(table, ratio->ratio);
        add_ratio(table, ratio->f);
        hpm_table_add_real(table, ratio->r2);
        hpm_table_add_real(table, ratio->p);
        for (size_t c = 0; c < n_means; c++)
            hpm_table_add_real(table, mean_of(clusters, order[i], c));
    }
    hpm_memory_free(ratios);
    hpm_memory_free(order);
}

/* ---- for programs
 * ------------------------------------------------------------------ */

static void
add_points(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    struct hpm_table *table =
        hpm_account_add_table(account, HPM_ACCOUNT_DATA, "members", NULL);

    if (table == NULL)
        return;
    hpm_observations_add_labels(clusters->observations, table);
    hpm_table_add_column(table, "group", NULL, 0);
    hpm_table_add_column(table, "silhouette", NULL, 3);
    if (clusters->leaves.k > 0)
        hpm_table_add_column(table, "leaf", NULL, 0);
    for (size_t i = 0; i < matrix_of(clusters)->n_rows; i++) {
        hpm_observations_add_label(clusters->observations, table, i);
        if (clusters->groups.k > 0) {
            hpm_table_add_count(table, clusters->groups.labels[i] + 1);
            hpm_table_add_real(table, clusters->widths[i]);
        } else {
            hpm_table_add_nones(table, 2);
        }
        if (clusters->leaves.k > 0)
            hpm_table_add_count(table, clusters->leaves.labels[i] + 1);
    }
}

static void
add_merges(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    struct hpm_table *table =
        hpm_account_add_table(account, HPM_ACCOUNT_DATA, "merges", NULL);

    if (table == NULL)
        return;
    hpm_table_add_column(table, "a", NULL, 0);
    hpm_table_add_column(table, "b", NULL, 0);
    hpm_table_add_column(table, "height", NULL, 3);
    hpm_table_add_column(table, "points", NULL, 0);
    for (size_t i = 0; i + 1 < clusters->tree.n_points; i++) {
        const struct hpm_tree_merge *merge = &clusters->tree.merges[i];

        hpm_table_add_integer(table, merge->a);
        hpm_table_add_integer(table, merge->b);
        hpm_table_add_real(table, merge->height);
        hpm_table_add_count(table, merge->size);
    }
}

static void
add_order(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    size_t n = clusters->tree.n_points;
    size_t *order = hpm_memory_new(n + 1, sizeof *order);
    struct hpm_table *table =
        hpm_account_add_table(account, HPM_ACCOUNT_DATA, "order", NULL);

    if (table != NULL && order != NULL &&
        hpm_tree_order(&clusters->tree, order)) {
        hpm_table_add_column(table, "point", NULL, 0);
        for (size_t i = 0; i < n; i++)
            hpm_table_add_count(table, order[i] + 1);
    } else {
        account->failed = true;
    }
    hpm_memory_free(order);
}

/* ---- the tree
 * ------------------------------------------------------------------------ */

/* Of a leaf of an approximate tree its first point. */
static void
add_name(const void *owner, size_t leaf, struct hpm_string *string)
{
    const struct hpm_clusters *clusters = owner;
    size_t row = clusters->leaves.k > 0 ? clusters->firsts[leaf] : leaf;

    hpm_pointlabels_add(string, clusters->observations->points,
                        clusters->observations->preparation.rows[row]);
}

static struct hpm_drawing
drawing_of(const struct hpm_clusters *clusters, size_t n_leaves)
{
    return (struct hpm_drawing){
        .tree = &clusters->tree,
        .n_leaves = n_leaves,
        .name = add_name,
        .owner = clusters,
        .weights = clusters->leaves.sizes,
        .title = "  The tree: what is alike is joined near the left, and the "
                 "scale is the distance."};
}

static void
draw_tree(const struct hpm_clusters *clusters, size_t width,
          struct hpm_account *account)
{
    enum { MOST_LINES = 32 };
    const struct hpm_drawing drawing = drawing_of(clusters, MOST_LINES);
    struct hpm_string text = {0};

    hpm_drawing_add_text(&text, &drawing, width);
    hpm_account_draw(account, &text);
}

/* Of so many points all pairs take a second. */
static double
cophenetic_of(const struct hpm_clusters *clusters)
{
    return clusters->leaves.k == 0 &&
                   clusters->tree.n_points <= HPM_GROUPING_EXACT_SILHOUETTE
               ? hpm_tree_cophenetic(&clusters->tree, matrix_of(clusters))
               : NAN;
}

static void
say_tree(const struct hpm_clusters *clusters, size_t width,
         struct hpm_account *account)
{
    double cophenetic = cophenetic_of(clusters);
    struct hpm_string text = {0};

    hpm_account_add_text_fact(account, "linkage",
                              linkages[clusters->options.linkage]);
    hpm_account_add_real_fact(account, "cophenetic", cophenetic);
    if (clusters->leaves.k > 0)
        hpm_account_add_count_fact(account, "leaves", clusters->leaves.k);
    if (clusters->tree.n_points == 0) {
        hpm_account_say(account, "There is no tree: %s.",
                        clusters->why_no_tree);
        return;
    }
    hpm_string_add_format(&text, "The tree is of %s linkage",
                          linkages[clusters->options.linkage]);
    if (clusters->leaves.k > 0)
        hpm_string_add_format(&text,
                              ", and approximate: its leaves are %zu small "
                              "groups of points near to each other",
                              clusters->leaves.k);
    if (isfinite(cophenetic)) {
        hpm_string_add(&text, "; cophenetic correlation ");
        hpm_string_add_fixed(&text, cophenetic, 3);
        hpm_string_add(&text, " (1: its heights are the distances of the "
                              "points)");
    }
    hpm_string_add_char(&text, '.');
    hpm_account_say_string(account, &text);
    draw_tree(clusters, width, account);
    add_merges(clusters, account);
    add_order(clusters, account);
}

/* ---- all of it
 * -------------------------------------------------------------------------- */

static void
say_no_groups(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    if (clusters->gap.n > 0)
        hpm_account_say(account, "There are no groups by the gap statistic: "
                                 "the points are one cloud.");
    else
        hpm_account_say(account,
                        clusters->n_choices > 0
                            ? "There are no natural groups: the points are as "
                              "near to the next group as to their own, "
                              "however many groups are made."
                            : "There are too few points for groups; hpm "
                              "cluster --groups takes any number of them.");
}

/* Each point goes to the nearest mean of a cut of an approximate tree: then
 * groups may be left without any. */
static void
say_fewer(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    size_t k = clusters->groups.k, wanted = clusters->options.k;

    if (clusters->options.is_cut && clusters->leaves.k > 0)
        hpm_account_say(account,
                        "A cut of the approximate tree makes %zu groups here, "
                        "not %zu: all points of the others are nearer to the "
                        "mean of another group.",
                        k, wanted);
    else
        hpm_account_say(account,
                        "Only %zu points differ: there are not %zu groups.", k,
                        wanted);
}

static void
say_groups(const struct hpm_clusters *clusters, struct hpm_account *account)
{
    struct hpm_string text = {0};
    size_t k = clusters->groups.k;

    hpm_account_add_count_fact(account, "groups_found", k);
    hpm_account_add_real_fact(account, "silhouette", clusters->silhouette);
    hpm_account_add_real_fact(account, "pooled_f", clusters->pooled_f);
    hpm_account_add_text_fact(account, "method",
                              clusters->options.is_cut ? "cut" : "k-means");
    hpm_account_add_count_fact(account, "seed", clusters->options.seed);
    if (k == 0) {
        say_no_groups(clusters, account);
        return;
    }
    hpm_string_add_format(&text, "%zu group%s by %s", k, k == 1 ? "" : "s",
                          clusters->options.is_cut ? "a cut of the tree"
                                                   : "k-means");
    if (!clusters->options.is_cut)
        hpm_string_add_format(&text, " (%zu starts, seed %llu)",
                              hpm_kmeans_starts(matrix_of(clusters)->n_rows),
                              (unsigned long long)clusters->options.seed);
    hpm_string_add(&text, "; mean silhouette ");
    hpm_string_add_fixed(&text, clusters->silhouette, 3);
    if (matrix_of(clusters)->n_rows > HPM_GROUPING_EXACT_SILHOUETTE)
        hpm_string_add(&text, ", by the distances from the groups' means");
    hpm_string_add_char(&text, '.');
    hpm_account_say_string(account, &text);
    if (clusters->options.k > k)
        say_fewer(clusters, account);
}

void
hpm_clusters_describe(const struct hpm_clusters *clusters, size_t width,
                      struct hpm_account *account)
{
    hpm_observations_describe(clusters->observations, account);
    say_groups(clusters, account);
    if (clusters->groups.k > 0) {
        add_groups(clusters, account);
        add_ratios(clusters, account);
    }
    if (clusters->n_choices > 0)
        add_choices(clusters, account);
    if (clusters->gap.n > 0)
        add_gap(clusters, account);
    say_tree(clusters, width, account);
    add_points(clusters, account);
}

static bool
set_no_tree(const struct hpm_clusters *clusters, struct hpm_error *err)
{
    return hpm_error_set(err, "there is no tree to draw: %s",
                         clusters->why_no_tree);
}

bool
hpm_clusters_draw(const struct hpm_clusters *clusters,
                  struct hpm_picture *picture, struct hpm_error *err)
{
    struct hpm_drawing drawing = drawing_of(clusters, HPM_DRAWING_MOST);
    struct hpm_string title = {0};

    if (clusters->tree.n_points == 0)
        return set_no_tree(clusters, err);
    hpm_survey_add_name(clusters->observations->points->survey,
                        clusters->observations->points->all[0].subject, &title);
    hpm_string_add_format(&title, ": %zu points, %s%s linkage",
                          matrix_of(clusters)->n_rows,
                          clusters->leaves.k > 0 ? "approximate " : "",
                          linkages[clusters->options.linkage]);
    drawing.title = hpm_string_text(&title);
    hpm_drawing_draw(picture, &drawing);
    hpm_string_finish(&title, &picture->failed);
    return true;
}

bool
hpm_clusters_add_svg(const struct hpm_clusters *clusters,
                     struct hpm_string *string, struct hpm_error *err)
{
    struct hpm_picture picture = {0};
    bool is_drawn = hpm_clusters_draw(clusters, &picture, err);

    if (is_drawn)
        hpm_picture_add_svg(&picture, string);
    hpm_picture_clear(&picture);
    return is_drawn;
}

bool
hpm_clusters_add_newick(const struct hpm_clusters *clusters,
                        struct hpm_string *string, struct hpm_error *err)
{
    struct hpm_drawing drawing = drawing_of(clusters, HPM_DRAWING_MOST);

    if (clusters->tree.n_points == 0)
        return set_no_tree(clusters, err);
    hpm_drawing_add_newick(string, &drawing);
    return true;
}
