/* SPDX-License-Identifier: BSD-3-Clause
 * Three linked trees. */
#include "hpmviz/data/trees.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/callertree.h"
#include "hpmviz/data/callervalues.h"
#include "hpmviz/data/systemvalues.h"
#include "hpmviz/data/totals.h"
#include "hpmviz/data/treerows.h"
#include "hpmviz/data/treevalue.h"

/* ---- making ---------------------------------------------------------- */

/* The metric that is looked at, or the first. */
static guint
find_metric(const struct hpmviz_trees *trees, const HpmvizSession *session)
{
    size_t quantity = hpmviz_session_metric(session);
    guint node = HPMVIZ_NO_NODE;

    if (quantity != HPM_NO_QUANTITY)
        node = hpmviz_metrictree_find(
            trees->metrics, trees->paths,
            hpm_survey_find(
                trees->paths,
                hpmviz_session_survey(session)->quantities[quantity].name));
    return node != HPMVIZ_NO_NODE || trees->metrics->n == 0 ? node : 0;
}

static double *
new_bases(const struct hpm_survey *paths)
{
    double *bases;

    if (!hpm_survey_is_difference(paths))
        return NULL;
    bases = g_new(double, 2 * paths->n_subjects + 1);
    for (size_t i = 0; i < 2 * paths->n_subjects; i++)
        bases[i] = NAN;
    return bases;
}

static guint *
find_nodes(const struct hpmviz_trees *trees)
{
    guint *node_of = g_new(guint, trees->paths->n_subjects + 1);

    for (size_t i = 0; i < trees->paths->n_subjects; i++)
        node_of[i] = G_MAXUINT;
    for (guint i = 0; i < trees->forward->n; i++)
        node_of[trees->forward->subjects[i]] = i;
    return node_of;
}

struct hpmviz_trees *
hpmviz_trees_new(const HpmvizSession *session)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);
    struct hpmviz_trees *trees;

    if (loaded == NULL)
        return NULL;
    trees = g_new0(struct hpmviz_trees, 1);
    trees->loaded = hpmviz_loaded_ref((struct hpmviz_loaded *)loaded);
    trees->paths = loaded->paths;
    trees->scope = hpmviz_session_view(session)->scope;
    trees->palette = hpmviz_session_view(session)->palette;
    trees->precision = hpmviz_session_view(session)->precision;
    trees->metrics = hpmviz_metrictree_new(loaded->paths, trees->scope);
    trees->forward = hpmviz_pathtree_new(loaded->paths, trees->scope);
    trees->calls = trees->forward;
    trees->node_of = find_nodes(trees);
    trees->system = hpmviz_systemtree_new(loaded->study, trees->scope);
    for (int i = 0; i < HPMVIZ_N_TREES; i++)
        trees->choices[i].node = HPMVIZ_NO_NODE;
    trees->choices[HPMVIZ_TREE_METRICS].node = find_metric(trees, session);
    trees->bases = new_bases(loaded->paths);
    trees->totals = hpmviz_totals_new(trees);
    trees->places = hpmviz_systemvalues_new(trees);
    return trees;
}

void
hpmviz_trees_free(struct hpmviz_trees *trees)
{
    if (trees == NULL)
        return;
    hpmviz_systemvalues_free(trees->places);
    hpmviz_totals_free(trees->totals);
    hpmviz_systemtree_free(trees->system);
    hpmviz_pathtree_free(trees->forward);
    hpmviz_pathtree_free(trees->callers);
    g_free(trees->node_of);
    hpmviz_callervalues_free(trees->known);
    g_free(trees->ranks);
    hpmviz_metrictree_free(trees->metrics);
    hpmviz_loaded_free(trees->loaded);
    g_free(trees->bases);
    g_free(trees);
}

guint
hpmviz_trees_shape(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                   guint **ret_parents)
{
    guint n = tree == HPMVIZ_TREE_METRICS ? trees->metrics->n
              : tree == HPMVIZ_TREE_PATHS ? trees->calls->n
                                          : trees->system->n;
    guint *parents = g_new(guint, (gsize)n + 1);

    for (guint i = 0; i < n; i++)
        parents[i] =
            tree == HPMVIZ_TREE_METRICS ? trees->metrics->nodes[i].parent
            : tree == HPMVIZ_TREE_PATHS ? trees->calls->parents[i]
                                        : trees->system->nodes[i].parent;
    *ret_parents = parents;
    return n;
}

/* ---- choosing -------------------------------------------------------- */

static void
forget_callers(struct hpmviz_trees *trees)
{
    hpmviz_callervalues_free(trees->known);
    trees->known = hpmviz_callervalues_new(trees);
}

static void
forget_system(struct hpmviz_trees *trees)
{
    hpmviz_systemvalues_free(trees->places);
    trees->places = hpmviz_systemvalues_new(trees);
    trees->largest[HPMVIZ_TREE_SYSTEM] = 0.0;
    trees->largest[HPMVIZ_TREE_PATHS] = 0.0;
    trees->next = 0;
}

void
hpmviz_trees_choose(struct hpmviz_trees *trees, enum hpmviz_tree tree,
                    struct hpmviz_treechoice choice)
{
    struct hpmviz_treechoice *here = &trees->choices[tree];

    if (here->node == choice.node && here->is_open == choice.is_open)
        return;
    *here = choice;
    if (tree == HPMVIZ_TREE_SYSTEM)
        return;
    if (tree == HPMVIZ_TREE_METRICS && trees->callers != NULL)
        forget_callers(trees);
    forget_system(trees);
}

void
hpmviz_trees_set_callers(struct hpmviz_trees *trees, gboolean has_callers)
{
    if (has_callers && trees->callers == NULL) {
        trees->callers = hpmviz_callertree_new(trees->paths, trees->scope);
        trees->ranks = hpmviz_treerows_rank(trees->paths->study);
        forget_callers(trees);
    }
    trees->calls = has_callers ? trees->callers : trees->forward;
    trees->choices[HPMVIZ_TREE_PATHS] =
        (struct hpmviz_treechoice){HPMVIZ_NO_NODE, FALSE};
    forget_system(trees);
}

/* ---- working ---------------------------------------------------------- */

static void
look_at(struct hpmviz_trees *trees, enum hpmviz_tree tree, guint node)
{
    double amount = fabs(hpmviz_trees_value(trees, tree, node, FALSE).number);

    if (amount > trees->largest[tree])
        trees->largest[tree] = amount;
}

/* Nodes in a piece of work. */
enum { PIECE = 200 };

/* Nodes of the system come first, then call paths. */
static gboolean
find_largest(struct hpmviz_trees *trees)
{
    guint n = trees->system->n + trees->calls->n;
    guint end = MIN(n, trees->next + PIECE);

    for (; trees->next < end; trees->next++) {
        if (trees->next < trees->system->n)
            look_at(trees, HPMVIZ_TREE_SYSTEM, trees->next);
        else
            look_at(trees, HPMVIZ_TREE_PATHS, trees->next - trees->system->n);
    }
    return trees->next < n;
}

static gboolean
find_callers(struct hpmviz_trees *trees)
{
    return trees->calls->ends != NULL &&
           hpmviz_callervalues_work(trees->known, trees);
}

static gboolean
work_a_little(struct hpmviz_trees *trees)
{
    return hpmviz_systemvalues_work(trees->places, trees) ||
           hpmviz_totals_work(trees->totals, trees) || find_callers(trees) ||
           find_largest(trees);
}

/* How long a window may stand still, in microseconds: a quarter of what is drawn 60
 * times a second. */
enum { LONGEST = 4000 };

gboolean
hpmviz_trees_work(struct hpmviz_trees *trees)
{
    gint64 end = g_get_monotonic_time() + LONGEST;
    gboolean has_more;

    do
        has_more = work_a_little(trees);
    while (has_more && g_get_monotonic_time() < end);
    return has_more;
}

void
hpmviz_trees_find_places(struct hpmviz_trees *trees)
{
    while (hpmviz_systemvalues_work(trees->places, trees))
        continue;
}

double
hpmviz_trees_largest(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                     guint node)
{
    if (tree != HPMVIZ_TREE_METRICS)
        return trees->largest[tree];
    if (!trees->metrics->nodes[node].is_amount)
        return NAN;
    return fabs(hpmviz_trees_value(trees, tree,
                                   hpmviz_metrictree_root(trees->metrics, node),
                                   FALSE)
                    .number);
}

/* ---- values ---------------------------------------------------------- */

struct hpmviz_treevalue
hpmviz_trees_value(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                   guint node, gboolean is_open)
{
    if (tree == HPMVIZ_TREE_METRICS)
        return hpmviz_totals_value(trees->totals, trees, node, is_open);
    if (tree == HPMVIZ_TREE_SYSTEM)
        return hpmviz_systemvalues_value(trees->places, node, is_open);
    if (trees->choices[HPMVIZ_TREE_METRICS].node == HPMVIZ_NO_NODE)
        return hpmviz_treevalue_none();
    if (trees->calls->ends != NULL)
        return hpmviz_callervalues_value(trees->known, trees, node, is_open);
    return hpmviz_treevalue_of_path(trees, trees->calls->subjects[node],
                                    is_open);
}

size_t
hpmviz_trees_quantity(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                      guint node)
{
    guint metric = tree == HPMVIZ_TREE_METRICS
                       ? node
                       : trees->choices[HPMVIZ_TREE_METRICS].node;

    return metric != HPMVIZ_NO_NODE ? trees->metrics->nodes[metric].quantity
                                    : HPM_NO_QUANTITY;
}

/* ---- texts ----------------------------------------------------------- */

static void
add_metric(const struct hpmviz_trees *trees, guint node,
           struct hpm_string *text)
{
    const struct hpmviz_metricnode *metric = &trees->metrics->nodes[node];

    if (metric->own != HPM_NO_QUANTITY)
        hpm_string_add(text, _("Time"));
    else
        hpm_string_add_safe(text,
                            trees->paths->quantities[metric->quantity].name);
}

static void
add_path(const struct hpmviz_trees *trees, guint node, struct hpm_string *text)
{
    struct hpm_string label = {0};

    hpm_survey_add_label(trees->paths, trees->calls->subjects[node], &label);
    hpm_string_add_safe(text, hpm_string_text(&label));
    hpm_string_finish(&label, &text->failed);
}

void
hpmviz_trees_add_label(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                       guint node, struct hpm_string *text)
{
    if (tree == HPMVIZ_TREE_METRICS)
        add_metric(trees, node, text);
    else if (tree == HPMVIZ_TREE_PATHS)
        add_path(trees, node, text);
    else
        hpmviz_systemtree_add_label(trees->system, node, text);
}

void
hpmviz_trees_add_text(const struct hpmviz_trees *trees, size_t quantity,
                      const struct hpmviz_treevalue *value,
                      struct hpm_string *text)
{
    struct hpmviz_sheet sheet = {
        .survey = trees->paths, .quantities = &quantity, .n_columns = 1};

    if (value->is_pending)
        hpm_string_add(text, "…");
    else if (!value->is_present || quantity == HPM_NO_QUANTITY)
        hpm_string_add(text, "–");
    else
        hpmviz_details_add_marked(&sheet, 0, value->marks, value->number,
                                  hpm_survey_is_difference(trees->paths)
                                      ? HPMVIZ_FORM_SIGNED
                                      : HPMVIZ_FORM_PLAIN,
                                  text);
}
