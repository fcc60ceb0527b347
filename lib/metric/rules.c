/* SPDX-License-Identifier: BSD-3-Clause
 * The rules for a metric's value, made of its statements. */
#include "metric/choose.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

/* Find the metric or leaf of a name in a rule of `self`.  The metric's own name
 * there means the counter of that name. */
static bool
resolve(struct hpm_choice *choice, uint32_t name, struct hpm_position place,
        size_t self, struct hpm_input *ret_input)
{
    struct hpm_metrics *metrics = choice->metrics;
    size_t metric = metrics->metric_of[name];

    *ret_input = (struct hpm_input){true, metric - 1};
    if (metric != 0 && metric - 1 != self)
        return true;
    if (!hpm_choice_add_leaf(choice, name, place))
        return false;
    *ret_input = (struct hpm_input){false, metrics->leaf_of[name] - 1};
    return true;
}

/* A set has only what can be counted.  The name of another set would be taken
 * for an event, which nobody means: complain. */
static bool
is_good_member(struct hpm_choice *choice, const struct hpm_statement *statement,
               const struct hpm_term *term)
{
    const char *name = hpm_spec_text(choice->spec, term->name);

    if (choice->metrics->metric_of[term->name] != 0 ||
        !hpm_choice_is_set(choice, term->name))
        return true;
    hpm_spec_complain(choice->spec, term->place,
                      term->name == statement->name
                          ? "the set '%s' names itself; expected events and "
                            "metrics"
                          : "'%s' is a set; expected an event or a metric",
                      name);
    return false;
}

/* A part of a composition must be a count, and not the composition itself. */
static bool
is_good_term(struct hpm_choice *choice, const struct hpm_statement *statement,
             const struct hpm_term *term)
{
    struct hpm_metrics *metrics = choice->metrics;
    const char *name = hpm_spec_text(choice->spec, term->name);
    size_t metric = metrics->metric_of[term->name];

    if (metrics->is_constant[term->name]) {
        hpm_spec_complain(choice->spec, term->place,
                          "'%s' is a constant; expected a counter or a metric",
                          name);
        return false;
    }
    if (statement->kind == HPM_STATEMENT_SET)
        return is_good_member(choice, statement, term);
    if (statement->kind != HPM_STATEMENT_COMPOSE)
        return true;
    if (term->name == statement->name) {
        hpm_spec_complain(choice->spec, term->place,
                          "'%s' is composed of itself", name);
        return false;
    }
    if (metric != 0 && metrics->metrics[metric - 1].is_ratio) {
        hpm_spec_complain(choice->spec, term->place,
                          "'%s' is a ratio; a composition adds counts", name);
        return false;
    }
    return true;
}

static bool
add_inputs(struct hpm_choice *choice, const struct hpm_statement *statement,
           struct hpm_metric *metric, struct hpm_range *ret_inputs)
{
    struct hpm_metrics *metrics = choice->metrics;
    size_t self = (size_t)(metric - metrics->metrics);

    *ret_inputs = (struct hpm_range){metrics->n_inputs, 0};
    for (size_t i = 0; i < statement->terms.count; i++) {
        const struct hpm_term *term =
            &choice->spec->terms[statement->terms.first + i];
        enum hpm_truth answer = hpm_choice_ask(choice, term->guard);

        if (answer != HPM_TRUTH_YES)
            hpm_choice_note(choice, statement->name, term->guard,
                            &metric->lack);
        if (answer != HPM_TRUTH_YES || !is_good_term(choice, statement, term))
            continue;
        if (!hpm_memory_grow(&metrics->inputs, &metrics->inputs_capacity,
                             metrics->n_inputs + 1, sizeof *metrics->inputs) ||
            !resolve(choice, term->name, term->place, self,
                     &metrics->inputs[metrics->n_inputs]))
            return false;
        metrics->n_inputs++;
        ret_inputs->count++;
    }
    return true;
}

static struct hpm_input
long_number(const char *digits)
{
    unsigned long long number;

    errno = 0;
    number = strtoull(digits, NULL, 10);
    return (struct hpm_input){errno == 0 && number <= SIZE_MAX, (size_t)number};
}

static bool
add_steps(struct hpm_choice *choice, const struct hpm_statement *statement,
          size_t self, struct hpm_range *ret_steps)
{
    struct hpm_metrics *metrics = choice->metrics;

    *ret_steps = (struct hpm_range){metrics->n_steps, statement->ops.count};
    for (size_t i = 0; i < statement->ops.count; i++) {
        const struct hpm_op *op = &choice->spec->ops[statement->ops.first + i];
        struct hpm_step step = {.kind = op->kind, .number = op->number};

        if (op->kind == HPM_OP_NUMBER && op->name != HPM_NO_NAME)
            step.input = long_number(hpm_spec_text(choice->spec, op->name));
        if (op->kind == HPM_OP_NAME || op->kind == HPM_OP_TOTAL) {
            double constant = metrics->constant_of[op->name];

            if (!isnan(constant)) {
                step.kind = HPM_OP_NUMBER;
                step.number = constant;
            } else if (!resolve(choice, op->name, op->place, self,
                                &step.input)) {
                return false;
            }
        }
        if (!hpm_memory_grow(&metrics->steps, &metrics->steps_capacity,
                             metrics->n_steps + 1, sizeof *metrics->steps))
            return false;
        metrics->steps[metrics->n_steps++] = step;
    }
    return true;
}

/* The result of an operator on constants; NAN if an operand is known only after
 * counting. */
static double
fold(enum hpm_op_kind kind, double a, double b)
{
    switch (kind) {
    case HPM_OP_ADD:
        return a + b;
    case HPM_OP_SUBTRACT:
        return a - b;
    case HPM_OP_MULTIPLY:
        return a * b;
    case HPM_OP_DIVIDE:
        return a / b;
    default:
        return NAN;
    }
}

/* Refuse a formula whose divisor is 0 whatever is counted, one that contains
 * the metric's own name, and one with a constant that has no value here. */
static bool
is_good_formula(struct hpm_choice *choice,
                const struct hpm_statement *statement,
                struct hpm_metric *metric)
{
    const struct hpm_spec *spec = choice->spec;
    double stack[HPM_MAX_OPERANDS];
    size_t n = 0;

    for (size_t i = 0; i < statement->ops.count; i++) {
        const struct hpm_op *op = &spec->ops[statement->ops.first + i];

        if (op->kind == HPM_OP_NUMBER) {
            stack[n++] = op->number;
        } else if (op->kind <= HPM_OP_TOTAL) {
            stack[n++] = choice->metrics->constant_of[op->name];
            if (choice->metrics->is_constant[op->name] && isnan(stack[n - 1])) {
                metric->lack = choice->metrics->constant_lack[op->name];
                return false;
            }
        } else if (op->kind == HPM_OP_NEGATE) {
            stack[n - 1] = -stack[n - 1];
        } else {
            n--;
            if (op->kind == HPM_OP_DIVIDE && stack[n] == 0.0) {
                hpm_spec_complain(choice->spec, op->place,
                                  "division by 0, which has no result, "
                                  "whatever is counted");
                return false;
            }
            stack[n - 1] = fold(op->kind, stack[n - 1], stack[n]);
        }
        if (op->kind == HPM_OP_NAME && op->name == statement->name) {
            hpm_spec_complain(choice->spec, op->place,
                              "the formula of '%s' needs its own value",
                              hpm_spec_text(spec, op->name));
            return false;
        }
    }
    return true;
}

static bool
add_rule(struct hpm_choice *choice, const struct hpm_statement *statement,
         struct hpm_metric *metric)
{
    struct hpm_metrics *metrics = choice->metrics;
    enum hpm_truth answer = hpm_choice_ask(choice, statement->guard);
    struct hpm_rule rule = {.kind = statement->kind,
                            .rank = hpm_spec_rank(statement),
                            .place = statement->place};
    size_t self = (size_t)(metric - metrics->metrics);

    if (answer != HPM_TRUTH_YES)
        hpm_choice_note(choice, statement->name, statement->guard,
                        &metric->lack);
    if (answer != HPM_TRUTH_YES || !is_good_formula(choice, statement, metric))
        return true;
    if (!add_inputs(choice, statement, metric, &rule.inputs) ||
        !add_steps(choice, statement, self, &rule.steps) ||
        !hpm_memory_grow(&metrics->rules, &metrics->rules_capacity,
                         metrics->n_rules + 1, sizeof *metrics->rules))
        return false;
    if (rule.inputs.count == 0 && rule.steps.count == 0)
        return true;
    if (rule.kind == HPM_STATEMENT_COMPOSE && metric->tree == HPM_NO_RULE)
        metric->tree = metrics->n_rules;
    metrics->rules[metrics->n_rules++] = rule;
    metric->rules.count++;
    return true;
}

enum {
    MEASURES = 1u << HPM_STATEMENT_MEASURE,
    FORMULAS = 1u << HPM_STATEMENT_COMPUTE | 1u << HPM_STATEMENT_RATIO,
    COMPOSITIONS = 1u << HPM_STATEMENT_COMPOSE
};

/* Add the rules of these kinds from the statements of one rank, in the order
 * they were written. */
static bool
add_rules_of(struct hpm_choice *choice, const struct hpm_group *group,
             unsigned kinds, unsigned rank, struct hpm_metric *metric)
{
    for (size_t i = 0; i < group->n; i++) {
        const struct hpm_statement *statement = group->statements[i];

        if ((kinds & 1u << statement->kind) &&
            hpm_spec_rank(statement) == rank &&
            !add_rule(choice, statement, metric))
            return false;
    }
    return true;
}

/* Is there a formula of this rank that holds, or may hold? */
static bool
has_formula(const struct hpm_choice *choice, const struct hpm_group *group,
            unsigned rank)
{
    for (size_t i = 0; i < group->n; i++) {
        const struct hpm_statement *statement = group->statements[i];

        if ((FORMULAS & 1u << statement->kind) &&
            hpm_spec_rank(statement) == rank &&
            hpm_choice_ask(choice, statement->guard) != HPM_TRUTH_NO)
            return true;
    }
    return false;
}

/* Add counters and formulas, those of the highest rank first.  A formula
 * replaces all formulas of lower ranks, which would mix counts of other things.
 * Counters of lower ranks remain: they are other names (the kernel's, PAPI's)
 * for the same. */
static bool
add_own_rules(struct hpm_choice *choice, const struct hpm_group *group,
              struct hpm_metric *metric)
{
    unsigned kinds = MEASURES | FORMULAS, before = UINT_MAX;

    for (size_t end = group->n; end > 0; end--) {
        unsigned rank = hpm_spec_rank(group->statements[end - 1]);

        if (rank == before)
            continue;
        before = rank;
        if (!add_rules_of(choice, group, MEASURES, rank, metric) ||
            !add_rules_of(choice, group, kinds & FORMULAS, rank, metric))
            return false;
        if (has_formula(choice, group, rank))
            kinds = MEASURES;
    }
    return true;
}

/* Add the compositions of the highest rank only: the others are another
 * tree. */
static bool
add_compositions(struct hpm_choice *choice, const struct hpm_group *group,
                 struct hpm_metric *metric)
{
    size_t n_before = metric->rules.count;

    for (size_t end = group->n; end > 0 && metric->rules.count == n_before;
         end--) {
        if (!add_rules_of(choice, group, COMPOSITIONS,
                          hpm_spec_rank(group->statements[end - 1]), metric))
            return false;
    }
    return true;
}

bool
hpm_choice_add_rules(struct hpm_choice *choice, const struct hpm_group *group,
                     struct hpm_metric *metric)
{
    metric->rules.first = choice->metrics->n_rules;
    return add_own_rules(choice, group, metric) &&
           add_compositions(choice, group, metric);
}

/* ---- sets ------------------------------------------------------------ */

bool
hpm_choice_add_set(struct hpm_choice *choice,
                   const struct hpm_statement *statement)
{
    struct hpm_metrics *metrics = choice->metrics;
    struct hpm_metric none = {.name = ""};
    struct hpm_metric_set *set;

    if (!hpm_memory_grow(&metrics->sets, &metrics->sets_capacity,
                         metrics->n_sets + 1, sizeof *metrics->sets))
        return false;
    set = &metrics->sets[metrics->n_sets++];
    *set = (struct hpm_metric_set){
        .name = hpm_spec_text(choice->spec, statement->name)};
    hpm_choice_take_texts(choice, statement, set->texts);
    return add_inputs(choice, statement, &none, &set->inputs);
}
