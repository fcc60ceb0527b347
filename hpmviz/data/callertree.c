/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of a scope, each with its callers below it.
 *
 *     paths        main/solve/sweep   main/sweep
 *     callers      sweep              both paths
 *                    solve            the first
 *                      main           the first, which begins there
 *                    main             the second, which begins there */
#include "hpmviz/data/callertree.h"

/* A node, and a path that is one of its. */
struct membership {
    guint node, path;
};

struct making {
    const struct hpm_survey *paths;
    int scope;
    GHashTable *sections; /* number of a section by its text */
    GHashTable *known;    /* node by "parent section" */
    GArray *subjects, *parents, *outermost, *memberships;
};

static const struct hpm_study_section *
section_of(const struct making *making, size_t subject)
{
    return &making->paths->study
                ->sections[making->paths->subjects[subject].section];
}

/* Texts of one study are equal where their addresses are. */
static guint
number_of(const struct making *making, size_t subject)
{
    const struct hpm_study_section *section = section_of(making, subject);
    g_autofree char *key =
        g_strdup_printf("%p %p %d %d %u %d", (const void *)section->label,
                        (const void *)section->base, section->line,
                        section->instance, section->twin, section->is_outside);
    guint n = g_hash_table_size(making->sections);
    gpointer there;

    if (g_hash_table_lookup_extended(making->sections, key, NULL, &there))
        return GPOINTER_TO_UINT(there);
    g_hash_table_insert(making->sections, g_steal_pointer(&key),
                        GUINT_TO_POINTER(n));
    return n;
}

/* The node of the section of a subject below that parent. */
static guint
node_of(const struct making *making, guint parent, size_t subject)
{
    gint64 key = (gint64)((guint64)parent << 32 | number_of(making, subject));
    guint node = making->subjects->len, which = (guint)subject;
    guint none = G_MAXUINT;
    gpointer there;

    if (g_hash_table_lookup_extended(making->known, &key, NULL, &there))
        return GPOINTER_TO_UINT(there);
    g_array_append_val(making->subjects, which);
    g_array_append_val(making->parents, parent);
    g_array_append_val(making->outermost, none);
    g_hash_table_insert(making->known, g_memdup2(&key, sizeof key),
                        GUINT_TO_POINTER(node));
    return node;
}

/* From the end of the path to its begin. */
static void
add_path(const struct making *making, size_t path)
{
    const struct hpm_subject *subjects = making->paths->subjects;
    guint node = G_MAXUINT;

    for (size_t at = path;
         at != HPM_NO_SUBJECT && section_of(making, at)->scope == making->scope;
         at = subjects[at].parent) {
        struct membership membership = {node_of(making, node, at), (guint)path};

        node = membership.node;
        g_array_append_val(making->memberships, membership);
    }
    if (node != G_MAXUINT)
        g_array_index(making->outermost, guint, node) = (guint)path;
}

/* Put the paths of each node side by side. */
static void
sort_paths(const struct making *making, struct hpmviz_pathtree *tree)
{
    const GArray *all = making->memberships;
    g_autofree guint *next = g_new(guint, (gsize)tree->n + 1);
    guint begin = 0;

    tree->first = g_new(guint, (gsize)tree->n + 1);
    tree->count = g_new0(guint, (gsize)tree->n + 1);
    tree->ends = g_new(guint, (gsize)all->len + 1);
    for (guint i = 0; i < all->len; i++)
        tree->count[g_array_index(all, struct membership, i).node]++;
    for (guint i = 0; i < tree->n; i++) {
        tree->first[i] = next[i] = begin;
        begin += tree->count[i];
    }
    for (guint i = 0; i < all->len; i++) {
        struct membership at = g_array_index(all, struct membership, i);

        tree->ends[next[at.node]++] = at.path;
    }
}

static guint *
take(GArray *array)
{
    return (guint *)(gpointer)g_array_free(array, FALSE);
}

struct hpmviz_pathtree *
hpmviz_callertree_new(const struct hpm_survey *paths, int scope)
{
    struct hpmviz_pathtree *tree = g_new0(struct hpmviz_pathtree, 1);
    struct making making = {
        .paths = paths,
        .scope = scope,
        .sections =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .known =
            g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
        .subjects = g_array_new(FALSE, FALSE, sizeof(guint)),
        .parents = g_array_new(FALSE, FALSE, sizeof(guint)),
        .outermost = g_array_new(FALSE, FALSE, sizeof(guint)),
        .memberships = g_array_new(FALSE, FALSE, sizeof(struct membership))};

    for (size_t i = 0; i < paths->n_subjects; i++) {
        if (section_of(&making, i)->scope == scope)
            add_path(&making, i);
    }
    tree->n = making.subjects->len;
    sort_paths(&making, tree);
    tree->subjects = take(making.subjects);
    tree->parents = take(making.parents);
    tree->outermost = take(making.outermost);
    g_array_unref(making.memberships);
    g_hash_table_unref(making.sections);
    g_hash_table_unref(making.known);
    return tree;
}
