/* SPDX-License-Identifier: BSD-3-Clause
 * Orders metrics so that inputs come first, without the rules that lead back to
 * themselves.
 *
 * A rule that leads back need not be an error: SLOTS is computed from cycles
 * and is the sum of four parts, one of which is SLOTS minus the others.  Then
 * the composition is cut: it remains as the tree, but gives no value. */
#include "metric/choose.h"

#include <string.h>

#include "host/memory.h"

enum { NEW, ACTIVE, DONE };

/* A metric on the path, with its rule and operand that the walk follows. */
struct stop {
    size_t metric;
    size_t rule;
    size_t operand;
};

/* The path is on the heap, because chains of definitions may be as long as
 * files are. */
struct walk {
    struct hpm_choice *choice;
    struct hpm_metrics *metrics;
    char *states; /* per metric */
    size_t n_ordered;
    struct stop *path; /* room for all metrics */
    size_t depth;
    bool is_cut; /* a rule nearer to the begin of the path was cut: start
                  * again */
    int n_cuts;
};

/* Starting again after each cut takes time.  After so many cuts, the nearest
 * rule is cut instead of the weakest. */
enum { MAX_CUTS = 200 };

static const char *
name_of(const struct walk *walk, size_t depth)
{
    return walk->metrics->metrics[walk->path[depth].metric].name;
}

static struct hpm_rule *
rule_of(const struct walk *walk, size_t depth)
{
    return &walk->metrics->rules[walk->path[depth].rule];
}

/* Does the metric have another rule that is not cut? */
static bool
has_other_rule(const struct walk *walk, size_t depth)
{
    const struct hpm_metric *metric =
        &walk->metrics->metrics[walk->path[depth].metric];

    for (size_t i = metric->rules.first;
         i < metric->rules.first + metric->rules.count; i++) {
        if (i != walk->path[depth].rule && !walk->metrics->rules[i].is_cut)
            return true;
    }
    return false;
}

/* The rule of a cycle that can best be spared, on the path from `first` on: a
 * composition, else any rule, whose metric has another rule; SIZE_MAX if there
 * is none. */
static size_t
find_weakest(const struct walk *walk, size_t first)
{
    size_t weakest = SIZE_MAX;

    for (size_t i = walk->depth; i > first; i--) {
        if (!has_other_rule(walk, i - 1))
            continue;
        if (rule_of(walk, i - 1)->kind == HPM_STATEMENT_COMPOSE)
            return i - 1;
        if (weakest == SIZE_MAX)
            weakest = i - 1;
    }
    return weakest;
}

/* Complains "'A' needs itself: A -> B -> A". */
static void
complain_cycle(const struct walk *walk, size_t first)
{
    enum { MOST_NAMED = 8 };
    struct hpm_string way = {0};

    for (size_t i = first; i < walk->depth && i < first + MOST_NAMED; i++) {
        hpm_string_add(&way, name_of(walk, i));
        hpm_string_add(&way, " -> ");
    }
    if (walk->depth - first > MOST_NAMED)
        hpm_string_add_format(&way, "%zu more -> ",
                              walk->depth - first - MOST_NAMED);
    hpm_string_add(&way, name_of(walk, first));
    hpm_spec_complain(walk->choice->spec, rule_of(walk, walk->depth - 1)->place,
                      "'%s' needs itself: %.300s", name_of(walk, first),
                      hpm_string_text(&way));
    hpm_string_free(&way);
}

/* The rule that the walk follows leads to a metric on the path: cut a rule of
 * the cycle. */
static void
cut_cycle(struct walk *walk, size_t metric)
{
    size_t top = walk->depth - 1, first = top, weakest;

    while (walk->path[first].metric != metric)
        first--;
    weakest = find_weakest(walk, first);
    if (weakest == SIZE_MAX)
        complain_cycle(walk, first);
    if (weakest == SIZE_MAX || walk->n_cuts >= MAX_CUTS)
        weakest = top;
    rule_of(walk, weakest)->is_cut = true;
    walk->is_cut = weakest != top;
    walk->n_cuts += walk->is_cut;
}

static void
enter(struct walk *walk, size_t metric)
{
    walk->states[metric] = ACTIVE;
    walk->path[walk->depth++] =
        (struct stop){metric, walk->metrics->metrics[metric].rules.first, 0};
}

/* The next operand, of the rule that the walk follows, that is a metric; false
 * after the last. */
static bool
next_operand(const struct hpm_metrics *metrics, struct stop *stop,
             size_t *ret_metric)
{
    const struct hpm_rule *rule = &metrics->rules[stop->rule];
    size_t n = rule->inputs.count + rule->steps.count;

    while (stop->operand < n && !rule->is_cut) {
        size_t i = stop->operand++;
        struct hpm_input input = {0};

        if (i < rule->inputs.count) {
            input = metrics->inputs[rule->inputs.first + i];
        } else {
            const struct hpm_step *needed =
                &metrics->steps[rule->steps.first + i - rule->inputs.count];

            /* total() needs the metric, too: for the whole program it is a
             * value of this evaluation */
            if (needed->kind == HPM_OP_NAME || needed->kind == HPM_OP_TOTAL)
                input = needed->input;
        }
        *ret_metric = input.index;
        if (input.is_metric)
            return true;
    }
    return false;
}

/* Take one step from the last metric of the path: to a metric it needs, to its
 * next rule, or back. */
static void
step(struct walk *walk)
{
    const struct hpm_metrics *metrics = walk->metrics;
    struct stop *stop = &walk->path[walk->depth - 1];
    const struct hpm_range rules = metrics->metrics[stop->metric].rules;
    size_t needed;

    if (stop->rule == rules.first + rules.count) {
        walk->states[stop->metric] = DONE;
        metrics->order[walk->n_ordered++] = stop->metric;
        walk->depth--;
    } else if (!next_operand(metrics, stop, &needed)) {
        stop->rule++;
        stop->operand = 0;
    } else if (walk->states[needed] == ACTIVE) {
        cut_cycle(walk, needed);
    } else if (walk->states[needed] == NEW) {
        enter(walk, needed);
    }
}

static void
walk_all(struct walk *walk)
{
    size_t n = walk->metrics->n_metrics;

    do {
        memset(walk->states, NEW, n);
        walk->n_ordered = walk->depth = 0;
        walk->is_cut = false;
        for (size_t i = 0; i < n && !walk->is_cut; i++) {
            if (walk->states[i] == NEW)
                enter(walk, i);
            while (walk->depth > 0 && !walk->is_cut)
                step(walk);
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

/* May a shipped definition lack another one because a user's file replaced a
 * shipped file? */
static bool
is_bereft(const struct hpm_choice *choice, const struct hpm_metric *metric)
{
    const struct hpm_metrics *metrics = choice->metrics;

    return choice->spec->has_replaced && metric->rules.count > 0 &&
           metrics->rules[metric->rules.first].rank < 2;
}

/* "under" puts a metric (for example a ratio) below another one. */
static void
link_under(struct hpm_choice *choice, struct hpm_metric *metric)
{
    const char *under = metric->texts[HPM_TEXT_UNDER];
    size_t parent;

    if (under == NULL)
        return;
    parent = hpm_metrics_find(choice->metrics, under);
    if (parent == HPM_NO_METRIC && is_bereft(choice, metric))
        return;
    if (parent == HPM_NO_METRIC)
        hpm_spec_complain(choice->spec, metric->place,
                          "there is no metric '%s' for '%s' to be under", under,
                          metric->name);
    else
        metric->parent = parent;
}

/* Cut trees so that each chain of parents ends. */
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

static bool
put_in_order(struct walk *walk)
{
    size_t n = walk->metrics->n_metrics;
    bool is_good;

    walk->metrics->order = hpm_memory_new(n, sizeof(size_t));
    walk->states = hpm_memory_new(n, 1);
    walk->path = hpm_memory_new(n, sizeof *walk->path);
    is_good = walk->metrics->order != NULL && walk->states != NULL &&
              walk->path != NULL;
    if (is_good)
        walk_all(walk);
    hpm_memory_free(walk->states);
    hpm_memory_free(walk->path);
    return is_good;
}

bool
hpm_choice_order(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;
    struct walk walk = {.choice = choice, .metrics = metrics};

    if (!put_in_order(&walk))
        return false;
    for (size_t i = 0; i < metrics->n_metrics; i++)
        link_parts(metrics, i);
    for (size_t i = 0; i < metrics->n_metrics; i++)
        link_under(choice, &metrics->metrics[i]);
    cut_trees(choice);
    return true;
}
