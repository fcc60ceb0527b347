/* SPDX-License-Identifier: BSD-3-Clause
 * How much a value of the linked trees is of others. */
#include "hpmviz/data/treeshare.h"

#include <math.h>
#include <string.h>

#include "hpmviz/data/treevalue.h"

/* ---- what it is compared with ---------------------------------------- */

/* The metric that a node's values are of; HPMVIZ_NO_NODE for none. */
static guint
metric_of(const struct hpmviz_trees *trees, enum hpmviz_tree tree, guint node)
{
    return tree == HPMVIZ_TREE_METRICS
               ? node
               : trees->choices[HPMVIZ_TREE_METRICS].node;
}

static struct hpmviz_treevalue
root_of(const struct hpmviz_trees *trees, guint metric)
{
    return hpmviz_trees_value(trees, HPMVIZ_TREE_METRICS,
                              hpmviz_metrictree_root(trees->metrics, metric),
                              FALSE);
}

/* Metrics have no tree to their left. */
static struct hpmviz_treevalue
selection_of(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
             guint metric)
{
    enum hpmviz_tree left =
        tree == HPMVIZ_TREE_SYSTEM ? HPMVIZ_TREE_PATHS : HPMVIZ_TREE_METRICS;
    struct hpmviz_treechoice choice = trees->choices[left];

    if (tree == HPMVIZ_TREE_METRICS)
        return root_of(trees, metric);
    if (choice.node == HPMVIZ_NO_NODE)
        return hpmviz_treevalue_none();
    return hpmviz_trees_value(trees, left, choice.node, choice.is_open);
}

static gboolean
has_share(const struct hpmviz_trees *trees, guint metric)
{
    return metric != HPMVIZ_NO_NODE && trees->metrics->nodes[metric].is_amount;
}

/* What a node's value is divided by in the mode of the trees. */
static struct hpmviz_treevalue
base_of(const struct hpmviz_trees *trees, enum hpmviz_tree tree, guint metric)
{
    if (metric == HPMVIZ_NO_NODE || !has_share(trees, metric))
        return hpmviz_treevalue_none();
    if (trees->mode == HPMVIZ_TREE_OF_ROOT)
        return root_of(trees, metric);
    if (trees->mode == HPMVIZ_TREE_OF_SELECTION)
        return selection_of(trees, tree, metric);
    return hpmviz_treevalue_none();
}

double
hpmviz_treeshare_percent(const struct hpmviz_trees *trees,
                         enum hpmviz_tree tree, guint node, gboolean is_open)
{
    guint metric = metric_of(trees, tree, node);
    struct hpmviz_treevalue value, whole;
    double base;

    if (metric == HPMVIZ_NO_NODE)
        return NAN;
    value = hpmviz_trees_value(trees, tree, node, is_open);
    whole = base_of(trees, tree, metric);
    base = trees->mode == HPMVIZ_TREE_OF_PEER ? value.base : whole.number;
    return base != 0.0 && !value.is_pending && !whole.is_pending
               ? 100.0 * value.number / base
               : NAN;
}

/* ---- text ------------------------------------------------------------ */

static gboolean
is_shown_as_share(const struct hpmviz_trees *trees, guint metric)
{
    if (trees->mode == HPMVIZ_TREE_OF_PEER)
        return hpm_survey_is_difference(trees->paths);
    return trees->mode != HPMVIZ_TREE_ABSOLUTE && has_share(trees, metric);
}

static void
add_percent(const struct hpmviz_treevalue *value, double percent,
            gboolean is_signed, struct hpm_string *text)
{
    struct hpm_string digits = {0};

    if (isnan(percent)) {
        hpm_string_add(text, hpmviz_details_none(HPM_STATE_UNSUPPORTED));
        return;
    }
    hpm_string_add(text, value->marks.is_partial ? "~" : "");
    hpm_string_add_fixed(&digits, percent, 1);
    if (is_signed)
        hpmviz_details_add_signed(text, hpm_string_text(&digits));
    else
        hpm_string_add(text, hpm_string_text(&digits));
    hpm_string_finish(&digits, &text->failed);
    hpm_string_add(text, " %");
    hpm_string_add(text, hpmviz_details_mark(value->marks.state));
    hpm_string_add(text, value->marks.doubt != HPM_DOUBT_NONE ? " ?" : "");
}

void
hpmviz_treeshare_add_text(const struct hpmviz_trees *trees,
                          enum hpmviz_tree tree, guint node, gboolean is_open,
                          struct hpm_string *text)
{
    struct hpmviz_treevalue value =
        hpmviz_trees_value(trees, tree, node, is_open);

    value.is_pending |=
        base_of(trees, tree, metric_of(trees, tree, node)).is_pending;
    if (isnan(value.number) || value.is_pending ||
        !is_shown_as_share(trees, metric_of(trees, tree, node)))
        hpmviz_trees_add_text(trees, hpmviz_trees_quantity(trees, tree, node),
                              &value, text);
    else
        add_percent(&value,
                    hpmviz_treeshare_percent(trees, tree, node, is_open),
                    trees->mode == HPMVIZ_TREE_OF_PEER, text);
}

/* ---- colours --------------------------------------------------------- */

/* NAN while half of the sum is missing. */
static double
known_number(struct hpmviz_treevalue value)
{
    return value.is_pending ? NAN : value.number;
}

double
hpmviz_treeshare_heat(const struct hpmviz_trees *trees, enum hpmviz_tree tree,
                      guint node, gboolean is_open)
{
    guint metric = metric_of(trees, tree, node);
    struct hpmviz_treevalue value =
        hpmviz_trees_value(trees, tree, node, is_open);
    double base;

    if (value.is_pending || metric == HPMVIZ_NO_NODE || isnan(value.number))
        return NAN;
    if (has_share(trees, metric) && !hpm_survey_is_difference(trees->paths))
        base = known_number(selection_of(trees, tree, metric));
    else
        base = hpmviz_trees_largest(trees, tree, node);
    return base > 0.0 ? fmin(1.0, fmax(-1.0, value.number / base)) : NAN;
}

/* Told apart by all eyes, for each step is darker, or lighter, than the one
 * before; orange above 0, blue below. */
static const char *const steps[2][2][HPMVIZ_TREESHARE_STEPS] = {
    {{"#fff3d6", "#fddc9a", "#fdb863", "#f08a3c", "#d65a1e", "#a63603",
      "#6b2000"},
     {"#3a2a1a", "#5e3a17", "#8a4f14", "#b96a16", "#e08a2c", "#f7b267",
      "#ffe3b3"}},
    {{"#e6f0fa", "#bfd9f2", "#8fbce6", "#5b9bd5", "#2f78b7", "#155893",
      "#08306b"},
     {"#1a2634", "#1f3a57", "#255380", "#3171ab", "#4f93cf", "#86b9e6",
      "#cfe5ff"}}};

const char *
hpmviz_treeshare_step(guint step, gboolean is_below_0, gboolean is_dark)
{
    return steps[is_below_0 ? 1 : 0][is_dark ? 1 : 0][step];
}

const char *
hpmviz_treeshare_colour(double heat, gboolean is_dark)
{
    guint step;

    if (isnan(heat))
        return NULL;
    step = (guint)(fabs(heat) * HPMVIZ_TREESHARE_STEPS);
    return hpmviz_treeshare_step(MIN(step, HPMVIZ_TREESHARE_STEPS - 1),
                                 heat < 0.0, is_dark);
}

/* ---- names ----------------------------------------------------------- */

static const char *const names[HPMVIZ_TREE_N_MODES] = {"absolute", "root",
                                                       "selection", "peer"};

const char *
hpmviz_treemode_name(enum hpmviz_treemode mode)
{
    return names[mode];
}

gboolean
hpmviz_treemode_find(const char *name, enum hpmviz_treemode *ret_mode)
{
    for (int i = 0; name != NULL && i < HPMVIZ_TREE_N_MODES; i++) {
        if (strcmp(names[i], name) == 0) {
            *ret_mode = (enum hpmviz_treemode)i;
            return TRUE;
        }
    }
    return FALSE;
}
