/* SPDX-License-Identifier: BSD-3-Clause
 * Ways through one of the linked trees. */
#include "hpmviz/data/treewalk.h"

#include <math.h>
#include <string.h>

/* ---- where most is --------------------------------------------------- */

/* A system has nothing beside its threads. */
static double
amount_of(const struct hpmviz_trees *trees, enum hpmviz_tree tree, guint node,
          gboolean is_open)
{
    double amount = fabs(hpmviz_trees_value(trees, tree, node, is_open).number);

    return isnan(amount) ? 0.0 : amount;
}

static guint
largest_below(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
              const guint *parents, guint n, guint parent)
{
    guint found = HPMVIZ_NO_NODE;
    double most = 0.0;

    for (guint i = parent == HPMVIZ_NO_NODE ? 0 : parent + 1; i < n; i++) {
        double amount;

        if (parents[i] != parent)
            continue;
        amount = amount_of(trees, tree, i, FALSE);
        if (amount > most) {
            most = amount;
            found = i;
        }
    }
    return found;
}

GArray *
hpmviz_treewalk_hottest(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                        guint from)
{
    g_autofree guint *parents = NULL;
    guint n = hpmviz_trees_shape(trees, tree, &parents);
    GArray *way = g_array_new(FALSE, FALSE, sizeof(guint));
    guint node = from;

    if (node == HPMVIZ_NO_NODE)
        node = largest_below(trees, tree, parents, n, HPMVIZ_NO_NODE);
    while (node != HPMVIZ_NO_NODE) {
        guint child = largest_below(trees, tree, parents, n, node);

        g_array_append_val(way, node);
        if (child == HPMVIZ_NO_NODE || amount_of(trees, tree, child, FALSE) <=
                                           amount_of(trees, tree, node, TRUE))
            break;
        node = child;
    }
    return way;
}

/* ---- all -------------------------------------------------------------- */

struct links {
    guint *parents, *first, *next;
    guint n;
};

/* first[n] is the first of the topmost nodes. */
static void
link_children(struct links *links)
{
    links->first = g_new(guint, (gsize)links->n + 1);
    links->next = g_new(guint, (gsize)links->n + 1);
    for (guint i = 0; i <= links->n; i++)
        links->first[i] = HPMVIZ_NO_NODE;
    for (guint i = links->n; i-- > 0;) {
        guint parent = MIN(links->parents[i], links->n);

        links->next[i] = links->first[parent];
        links->first[parent] = i;
    }
}

/* The way goes down, then on, then up again until it can go on. */
static void
walk(const struct links *links, GArray *all)
{
    struct hpmviz_treestep at = {links->first[links->n], 0};

    while (at.node != HPMVIZ_NO_NODE) {
        g_array_append_val(all, at);
        if (links->first[at.node] != HPMVIZ_NO_NODE) {
            at.node = links->first[at.node];
            at.depth++;
            continue;
        }
        while (links->next[at.node] == HPMVIZ_NO_NODE && at.depth > 0) {
            at.node = links->parents[at.node];
            at.depth--;
        }
        at.node = links->next[at.node];
    }
}

GArray *
hpmviz_treewalk_all(const struct hpmviz_trees *trees, enum hpmviz_tree tree)
{
    struct links links = {0};
    GArray *all = g_array_new(FALSE, FALSE, sizeof(struct hpmviz_treestep));

    links.n = hpmviz_trees_shape(trees, tree, &links.parents);
    link_children(&links);
    walk(&links, all);
    g_free(links.parents);
    g_free(links.first);
    g_free(links.next);
    return all;
}

/* ---- names ----------------------------------------------------------- */

static gboolean
has_letters(const struct hpmviz_trees *trees, enum hpmviz_tree tree, guint node,
            const char *folded)
{
    struct hpm_string label = {0};
    g_autofree char *name = NULL;

    hpmviz_trees_add_label(trees, tree, node, &label);
    name = g_utf8_casefold(hpm_string_text(&label), -1);
    hpm_string_free(&label);
    return strstr(name, folded) != NULL;
}

guint
hpmviz_treewalk_find(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                     guint from, const char *letters)
{
    g_autofree guint *parents = NULL;
    g_autofree char *folded = g_utf8_casefold(letters, -1);
    guint n = hpmviz_trees_shape(trees, tree, &parents);
    guint first = from == HPMVIZ_NO_NODE ? 0 : from + 1;

    for (guint i = 0; i < n && *folded != '\0'; i++) {
        guint node = (first + i) % n;

        if (has_letters(trees, tree, node, folded))
            return node;
    }
    return HPMVIZ_NO_NODE;
}
