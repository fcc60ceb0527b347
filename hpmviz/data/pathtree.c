/* SPDX-License-Identifier: BSD-3-Clause
 * The call paths of a scope, in the order of a tree model. */
#include "hpmviz/data/pathtree.h"

static const struct hpm_study_section *
section_of(const struct hpm_survey *survey, size_t subject)
{
    return &survey->study->sections[survey->subjects[subject].section];
}

/* By depth, so that parents come first; (outside sections) after all paths. */
static guint
rank_of(const struct hpm_survey *paths, size_t subject, guint deepest)
{
    return section_of(paths, subject)->is_outside
               ? deepest + 1
               : (guint)paths->subjects[subject].depth;
}

static guint
find_deepest(const struct hpm_survey *paths)
{
    size_t deepest = 0;

    for (size_t i = 0; i < paths->n_subjects; i++)
        deepest = MAX(deepest, paths->subjects[i].depth);
    return (guint)deepest;
}

/* Where the subjects of each rank begin; a counting sort keeps the order of those
 * of one rank. */
static guint *
find_starts(const struct hpm_survey *paths, int scope, guint deepest)
{
    guint *starts = g_new0(guint, (gsize)deepest + 3);

    for (size_t i = 0; i < paths->n_subjects; i++) {
        if (section_of(paths, i)->scope == scope)
            starts[rank_of(paths, i, deepest) + 1]++;
    }
    for (guint i = 1; i < deepest + 3; i++)
        starts[i] += starts[i - 1];
    return starts;
}

/* From the last on, so that each becomes the first of those behind it. */
static void
link_children(struct hpmviz_pathtree *tree)
{
    tree->children = g_new(guint, (gsize)tree->n + 1);
    tree->siblings = g_new(guint, (gsize)tree->n + 1);
    for (guint i = 0; i < tree->n; i++)
        tree->children[i] = tree->siblings[i] = G_MAXUINT;
    for (guint i = tree->n; i-- > 0;) {
        guint parent = tree->parents[i];

        if (parent == G_MAXUINT)
            continue;
        tree->siblings[i] = tree->children[parent];
        tree->children[parent] = i;
    }
}

struct hpmviz_pathtree *
hpmviz_pathtree_new(const struct hpm_survey *paths, int scope)
{
    struct hpmviz_pathtree *tree = g_new0(struct hpmviz_pathtree, 1);
    guint deepest = find_deepest(paths);
    g_autofree guint *starts = find_starts(paths, scope, deepest);
    g_autofree guint *node_of = g_new(guint, paths->n_subjects + 1);

    tree->n = starts[deepest + 2];
    tree->subjects = g_new(guint, (gsize)tree->n + 1);
    tree->parents = g_new(guint, (gsize)tree->n + 1);
    for (size_t i = 0; i < paths->n_subjects; i++) {
        if (section_of(paths, i)->scope != scope)
            continue;
        node_of[i] = starts[rank_of(paths, i, deepest)]++;
        tree->subjects[node_of[i]] = (guint)i;
    }
    for (guint i = 0; i < tree->n; i++) {
        size_t parent = paths->subjects[tree->subjects[i]].parent;

        tree->parents[i] = parent != HPM_NO_SUBJECT &&
                                   section_of(paths, parent)->scope == scope
                               ? node_of[parent]
                               : G_MAXUINT;
    }
    link_children(tree);
    return tree;
}

void
hpmviz_pathtree_free(struct hpmviz_pathtree *tree)
{
    if (tree == NULL)
        return;
    g_free(tree->subjects);
    g_free(tree->parents);
    g_free(tree->children);
    g_free(tree->siblings);
    g_free(tree->first);
    g_free(tree->count);
    g_free(tree->outermost);
    g_free(tree->ends);
    g_free(tree);
}

const guint *
hpmviz_pathtree_paths(const struct hpmviz_pathtree *tree, guint node,
                      gboolean is_open, guint *ret_n)
{
    *ret_n = 1;
    if (tree->ends == NULL)
        return &tree->subjects[node];
    if (is_open) {
        *ret_n = tree->outermost[node] != G_MAXUINT ? 1 : 0;
        return &tree->outermost[node];
    }
    *ret_n = tree->count[node];
    return &tree->ends[tree->first[node]];
}

/* Texts of one study are equal where their addresses are. */
gboolean
hpmviz_pathtree_ends_in(const struct hpm_survey *paths, size_t path,
                        const struct hpm_study_section *section)
{
    const struct hpm_study_section *end = section_of(paths, path);

    return end->scope == section->scope && end->label == section->label &&
           end->base == section->base && end->line == section->line &&
           end->instance == section->instance && end->twin == section->twin &&
           end->is_outside == section->is_outside;
}
