/* SPDX-License-Identifier: BSD-3-Clause
 * What was counted, as a tree. */
#include "hpmviz/data/metrictree.h"

struct making {
    const struct hpm_survey *survey;
    struct hpmviz_metrictree *tree;
    gboolean *is_there; /* by quantity: a section has it */
    guint *node_of;     /* by quantity */
};

static void
find_quantities(const struct making *making, int scope)
{
    const struct hpm_survey *survey = making->survey;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_subject *subject = &survey->subjects[i];

        if (survey->study->sections[subject->section].scope != scope)
            continue;
        for (size_t j = 0; j < subject->n_entries; j++)
            making->is_there[subject->entries[j].quantity] = TRUE;
    }
}

static gboolean
is_amount(const struct hpm_survey *survey, size_t quantity)
{
    return !survey->quantities[quantity].is_ratio &&
           !hpm_survey_is_peak(survey, quantity);
}

/* Do the definitions of a machine compose the whole from this part and others? A
 * metric may also only stand below another one ("under"). */
static gboolean
is_composed(const struct hpm_metrics *metrics, size_t whole, size_t part)
{
    size_t tree = metrics->metrics[whole].tree;
    struct hpm_range inputs = {0};

    if (tree != HPM_NO_RULE)
        inputs = metrics->rules[tree].inputs;
    for (size_t i = inputs.first; i < inputs.first + inputs.count; i++) {
        struct hpm_input input = metrics->inputs[i];

        if (input.is_metric && input.index == part)
            return TRUE;
    }
    return FALSE;
}

static gboolean
is_part(const struct hpm_survey *survey, size_t quantity)
{
    const struct hpm_quantity *part = &survey->quantities[quantity];
    const struct hpm_quantity *whole = &survey->quantities[part->parent];

    if (!is_amount(survey, quantity) || !is_amount(survey, part->parent))
        return FALSE;
    for (size_t i = 0; i < survey->n_machines; i++) {
        if (part->metrics[i] != HPM_NO_METRIC &&
            whole->metrics[i] != HPM_NO_METRIC &&
            is_composed(survey->machines[i].library.metrics, whole->metrics[i],
                        part->metrics[i]))
            return TRUE;
    }
    return FALSE;
}

/* The nearest quantity above this one that a section has, or HPM_NO_QUANTITY; and
 * whether this one is a part of its amount. */
static size_t
whole_of(const struct making *making, size_t quantity, gboolean *ret_is_part)
{
    const struct hpm_survey *survey = making->survey;
    size_t at = quantity;

    *ret_is_part = TRUE;
    do {
        size_t parent = survey->quantities[at].parent;

        *ret_is_part =
            *ret_is_part && parent != HPM_NO_QUANTITY && is_part(survey, at);
        at = parent;
    } while (at != HPM_NO_QUANTITY && !making->is_there[at]);
    return at;
}

/* Wholes first: a node's parent stands before it. */
static guint
add_node(struct making *making, size_t quantity)
{
    struct hpmviz_metrictree *tree = making->tree;
    gboolean is_part;
    size_t whole;
    guint parent = HPMVIZ_NO_NODE;

    if (making->node_of[quantity] != HPMVIZ_NO_NODE)
        return making->node_of[quantity];
    whole = whole_of(making, quantity, &is_part);
    if (whole != HPM_NO_QUANTITY)
        parent = add_node(making, whole);
    tree->nodes[tree->n] = (struct hpmviz_metricnode){
        .quantity = quantity,
        .own = HPM_NO_QUANTITY,
        .parent = parent,
        .is_amount = is_amount(making->survey, quantity),
        .is_part = is_part};
    making->node_of[quantity] = tree->n;
    return tree->n++;
}

static void
add_kind(struct making *making, enum hpm_quantity_kind kind)
{
    const struct hpm_survey *survey = making->survey;

    for (size_t i = 0; i < survey->n_quantities; i++) {
        size_t twin = hpm_survey_find_twin(survey, i);

        if (making->is_there[i] && survey->quantities[i].kind == kind &&
            (twin == HPM_NO_QUANTITY || !making->is_there[twin]))
            add_node(making, i);
    }
}

/* Inclusive and exclusive time are one node. */
static void
add_time(struct making *making)
{
    size_t all = hpm_survey_find_kind(making->survey, HPM_QUANTITY_INCLUSIVE);
    size_t own = hpm_survey_find_kind(making->survey, HPM_QUANTITY_EXCLUSIVE);
    guint node;

    if (all == HPM_NO_QUANTITY || !making->is_there[all])
        all = own;
    if (all == HPM_NO_QUANTITY || !making->is_there[all])
        return;
    node = add_node(making, all);
    making->tree->nodes[node].own = own;
    if (own != HPM_NO_QUANTITY)
        making->node_of[own] = node;
}

struct hpmviz_metrictree *
hpmviz_metrictree_new(const struct hpm_survey *survey, int scope)
{
    struct making making = {.survey = survey,
                            .tree = g_new0(struct hpmviz_metrictree, 1),
                            .is_there =
                                g_new0(gboolean, survey->n_quantities + 1),
                            .node_of = g_new(guint, survey->n_quantities + 1)};

    for (size_t i = 0; i < survey->n_quantities; i++)
        making.node_of[i] = HPMVIZ_NO_NODE;
    making.tree->nodes =
        g_new(struct hpmviz_metricnode, survey->n_quantities + 1);
    find_quantities(&making, scope);
    add_time(&making);
    add_kind(&making, HPM_QUANTITY_CALLS);
    add_kind(&making, HPM_QUANTITY_METRIC);
    add_kind(&making, HPM_QUANTITY_RECORDED);
    add_kind(&making, HPM_QUANTITY_COUNTER);
    g_free(making.is_there);
    g_free(making.node_of);
    return making.tree;
}

void
hpmviz_metrictree_free(struct hpmviz_metrictree *tree)
{
    if (tree == NULL)
        return;
    g_free(tree->nodes);
    g_free(tree);
}

static guint
find_node(const struct hpmviz_metrictree *tree, size_t quantity)
{
    for (guint i = 0; i < tree->n && quantity != HPM_NO_QUANTITY; i++) {
        if (tree->nodes[i].quantity == quantity ||
            tree->nodes[i].own == quantity)
            return i;
    }
    return HPMVIZ_NO_NODE;
}

guint
hpmviz_metrictree_find(const struct hpmviz_metrictree *tree,
                       const struct hpm_survey *survey, size_t quantity)
{
    guint node = find_node(tree, quantity);

    if (node == HPMVIZ_NO_NODE && quantity != HPM_NO_QUANTITY)
        node = find_node(tree, hpm_survey_find_twin(survey, quantity));
    return node;
}

guint
hpmviz_metrictree_root(const struct hpmviz_metrictree *tree, guint node)
{
    while (tree->nodes[node].is_part)
        node = tree->nodes[node].parent;
    return node;
}
