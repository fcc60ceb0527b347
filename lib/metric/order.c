/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics in an order in which what a metric needs comes before it, without
 * the rules that lead back to themselves.
 *
 * A rule may lead back without fault: SLOTS is computed from cycles and is the
 * sum of four parts, one of which is SLOTS minus the others.  There the
 * composition gives way: it remains as the tree, but gives no value. */
#include "metric/choose.h"

#include <string.h>

#include "host/memory.h"

enum { NEW, ACTIVE, DONE };

struct walk {
    struct hpm_choice *choice;
    struct hpm_metrics *metrics;
    char *states; /* per metric */
    size_t n_ordered;
    size_t path[HPM_MAX_NESTING + 1];  /* metrics being visited ... */
    size_t rules[HPM_MAX_NESTING + 1]; /* ... and by which rule they go on */
    int depth;
    bool is_cut; /* a rule further up was cut: begin again */
    int n_cuts;
};

/* Beginning again after each cut takes time; from then on the nearest rule is
 * cut instead of the weakest. */
enum { MAX_CUTS = 200 };

static const char *
name_of(const struct walk *walk, int depth)
{
    return walk->metrics->metrics[walk->path[depth]].name;
}

/* Is there another way to the metric's value? */
static bool
has_other_rule(const struct walk *walk, int depth)
{
    const struct hpm_metric *metric =
        &walk->metrics->metrics[walk->path[depth]];

    for (size_t i = metric->rules.first;
         i < metric->rules.first + metric->rules.count; i++) {
        if (i != walk->rules[depth] && !walk->metrics->rules[i].is_cut)
            return true;
    }
    return false;
}

/* Of the rules along a cycle, from `first` on: a composition that is not the
 * only way, else any rule that is not; -1 for none. */
static int
find_weakest(const struct walk *walk, int first)
{
    int weakest = -1;

    for (int i = walk->depth - 1; i >= first; i--) {
        const struct hpm_rule *rule = &walk->metrics->rules[walk->rules[i]];

        if (!has_other_rule(walk, i))
            continue;
        if (rule->kind == HPM_STATEMENT_COMPOSE)
            return i;
        if (weakest < 0)
            weakest = i;
    }
    return weakest;
}

/* "'A' needs itself: A -> B -> A" */
static void
complain_cycle(const struct walk *walk, int first)
{
    struct hpm_string way = {0};

    for (int i = first; i < walk->depth; i++) {
        hpm_string_add(&way, name_of(walk, i));
        hpm_string_add(&way, " -> ");
    }
    hpm_string_add(&way, name_of(walk, first));
    hpm_spec_complain(walk->choice->spec,
                      walk->metrics->rules[walk->rules[walk->depth - 1]].place,
                      "'%s' needs itself: %.300s", name_of(walk, first),
                      hpm_string_text(&way));
    hpm_string_free(&way);
}

/* The rule being followed leads to a metric that is being visited. */
static void
cut_cycle(struct walk *walk, size_t metric)
{
    int top = walk->depth - 1, first = top, weakest;

    while (walk->path[first] != metric)
        first--;
    weakest = find_weakest(walk, first);
    if (weakest < 0)
        complain_cycle(walk, first);
    if (weakest < 0 || walk->n_cuts >= MAX_CUTS)
        weakest = top;
    walk->metrics->rules[walk->rules[weakest]].is_cut = true;
    walk->is_cut = weakest != top;
    walk->n_cuts += walk->is_cut;
}

static void visit(struct walk *walk, size_t metric);

/* Go to what the rule needs, until the rule turns out to lead back. */
static void
follow(struct walk *walk, struct hpm_rule *rule, struct hpm_input input)
{
    if (!input.is_metric || rule->is_cut)
        return;
    if (walk->states[input.index] == ACTIVE) {
        cut_cycle(walk, input.index);
    } else if (walk->states[input.index] == NEW) {
        if (walk->depth > HPM_MAX_NESTING - 1) {
            hpm_spec_complain(walk->choice->spec, rule->place,
                              "'%s' is more than %d definitions away from "
                              "counters",
                              name_of(walk, 0), HPM_MAX_NESTING);
            rule->is_cut = true;
        } else {
            visit(walk, input.index);
        }
    }
}

static void
visit(struct walk *walk, size_t metric)
{
    struct hpm_metrics *metrics = walk->metrics;
    const struct hpm_range rules = metrics->metrics[metric].rules;

    walk->states[metric] = ACTIVE;
    walk->path[walk->depth++] = metric;
    for (size_t i = rules.first; i < rules.first + rules.count; i++) {
        struct hpm_rule *rule = &metrics->rules[i];

        walk->rules[walk->depth - 1] = i;
        for (size_t j = 0; j < rule->inputs.count && !walk->is_cut; j++)
            follow(walk, rule, metrics->inputs[rule->inputs.first + j]);
        for (size_t j = 0; j < rule->steps.count && !walk->is_cut; j++) {
            const struct hpm_step *step =
                &metrics->steps[rule->steps.first + j];

            /* of the whole program, total() is of these values, too */
            if (step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL)
                follow(walk, rule, step->input);
        }
    }
    walk->depth--;
    walk->states[metric] = DONE;
    metrics->order[walk->n_ordered++] = metric;
}

static void
walk_all(struct walk *walk)
{
    size_t n = walk->metrics->n_metrics;

    do {
        memset(walk->states, NEW, n);
        walk->n_ordered = 0;
        walk->is_cut = false;
        for (size_t i = 0; i < n && !walk->is_cut; i++) {
            if (walk->states[i] == NEW)
                visit(walk, i);
        }
    } while (walk->is_cut);
}

/* ---- trees ----------------------------------------------------------- */

static void
link_parts(struct hpm_metrics *metrics, size_t parent)
{
    const struct hpm_rule *tree;

    if (metrics->metrics[parent].tree == HPM_NO_RULE)
        return;
    tree = &metrics->rules[metrics->metrics[parent].tree];
    for (size_t i = 0; i < tree->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[tree->inputs.first + i];

        if (input.is_metric && input.index != parent &&
            metrics->metrics[input.index].parent == HPM_NO_METRIC)
            metrics->metrics[input.index].parent = parent;
    }
}

/* "under" puts a metric, such as a ratio, below another one. */
static void
link_under(struct hpm_choice *choice, struct hpm_metric *metric)
{
    const char *under = metric->texts[HPM_TEXT_UNDER];
    size_t parent;

    if (under == NULL)
        return;
    parent = hpm_metrics_find(choice->metrics, under);
    if (parent == HPM_NO_METRIC)
        hpm_spec_complain(choice->spec, metric->place,
                          "there is no metric '%s' for '%s' to be under", under,
                          metric->name);
    else
        metric->parent = parent;
}

/* Parents must come to an end. */
static void
cut_trees(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        struct hpm_metric *metric = &metrics->metrics[i];
        size_t above = metric->parent;
        int depth = 0;

        while (above != HPM_NO_METRIC && above != i &&
               depth++ < HPM_MAX_NESTING)
            above = metrics->metrics[above].parent;
        if (above == HPM_NO_METRIC)
            continue;
        if (metric->texts[HPM_TEXT_UNDER] != NULL)
            hpm_spec_complain(choice->spec, metric->place,
                              "'%s' is under '%s', which leads back to it or "
                              "is too deep",
                              metric->name, metric->texts[HPM_TEXT_UNDER]);
        metric->parent = HPM_NO_METRIC;
    }
}

bool
hpm_choice_order(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;
    struct walk walk = {.choice = choice, .metrics = metrics};

    metrics->order = hpm_memory_new(metrics->n_metrics, sizeof(size_t));
    walk.states = hpm_memory_new(metrics->n_metrics, 1);
    if (metrics->order == NULL || walk.states == NULL) {
        hpm_memory_free(walk.states);
        return false;
    }
    walk_all(&walk);
    hpm_memory_free(walk.states);
    for (size_t i = 0; i < metrics->n_metrics; i++)
        link_parts(metrics, i);
    for (size_t i = 0; i < metrics->n_metrics; i++)
        link_under(choice, &metrics->metrics[i]);
    cut_trees(choice);
    return true;
}
