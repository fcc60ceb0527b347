/* SPDX-License-Identifier: BSD-3-Clause
 * What is said of the linked trees. */
#include "hpmviz/data/treewords.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/treevalue.h"
#include "study/report/shown.h"

static guint
parent_of(const struct hpmviz_trees *trees, enum hpmviz_tree tree, guint node)
{
    if (tree == HPMVIZ_TREE_METRICS)
        return trees->metrics->nodes[node].parent;
    return tree == HPMVIZ_TREE_PATHS ? trees->calls->parents[node]
                                     : trees->system->nodes[node].parent;
}

/* From the node up, then the other way round: paths may be deep. */
void
hpmviz_treewords_add_way(const struct hpmviz_trees *trees,
                         enum hpmviz_tree tree, guint node,
                         struct hpm_string *text)
{
    g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(guint));

    for (; node != HPMVIZ_NO_NODE; node = parent_of(trees, tree, node))
        g_array_append_val(way, node);
    for (guint i = way->len; i-- > 0;) {
        hpmviz_trees_add_label(trees, tree, g_array_index(way, guint, i), text);
        hpm_string_add(text, i > 0 ? "/" : "");
    }
}

/* Metrics are known by their own names, whatever they are parts of. */
static void
add_name(const struct hpmviz_trees *trees, enum hpmviz_tree tree, guint node,
         struct hpm_string *text)
{
    if (tree == HPMVIZ_TREE_METRICS)
        hpmviz_trees_add_label(trees, tree, node, text);
    else
        hpmviz_treewords_add_way(trees, tree, node, text);
}

static const char *
word_of(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
        struct hpmviz_treechoice choice)
{
    const struct hpmviz_metricnode *metric =
        &trees->metrics->nodes[trees->choices[HPMVIZ_TREE_METRICS].node];
    enum hpm_quantity_kind kind =
        trees->paths->quantities[metric->quantity].kind;

    if (tree == HPMVIZ_TREE_METRICS)
        return choice.is_open ? _("whole run, without its parts")
                              : _("whole run");
    if (tree == HPMVIZ_TREE_PATHS && trees->calls->ends != NULL)
        return choice.is_open ? _("its own, called from outside sections")
                              : _("its own");
    if (tree == HPMVIZ_TREE_PATHS && kind != HPM_QUANTITY_CALLS)
        return choice.is_open ? _("its own") : _("with all inside");
    return NULL;
}

static void
add_value(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
          struct hpmviz_treechoice choice, struct hpm_string *text)
{
    struct hpmviz_treevalue value =
        hpmviz_trees_value(trees, tree, choice.node, choice.is_open);
    size_t quantity = hpmviz_trees_quantity(trees, tree, choice.node);
    const char *unit = hpm_shown_unit(&trees->paths->quantities[quantity]);
    const char *word = word_of(trees, tree, choice);
    struct hpm_string reason = {0};

    hpmviz_trees_add_text(trees, quantity, &value, text);
    if (!isnan(value.number) && unit[0] != '\0') {
        hpm_string_add(text, " ");
        hpm_string_add_safe(text, unit);
    }
    if (word != NULL)
        hpm_string_add_format(text, " (%s)", word);
    hpmviz_treevalue_add_reason(&value, &reason);
    if (reason.length > 0) {
        hpm_string_add(text, ": ");
        hpm_string_add_safe(text, hpm_string_text(&reason));
    }
    hpm_string_finish(&reason, &text->failed);
}

void
hpmviz_treewords_add(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                     struct hpm_string *text)
{
    struct hpmviz_treechoice choice = trees->choices[tree];

    if (choice.node == HPMVIZ_NO_NODE ||
        trees->choices[HPMVIZ_TREE_METRICS].node == HPMVIZ_NO_NODE)
        return;
    add_name(trees, tree, choice.node, text);
    hpm_string_add(text, ": ");
    add_value(trees, tree, choice, text);
    hpm_string_add(text, "\n");
}
