/* SPDX-License-Identifier: BSD-3-Clause
 * Which metrics can have a value at all. */
#include "study/metric/possible.h"

#include "host/memory.h"

struct finding {
    const struct hpm_metrics *metrics;
    const bool *is_live; /* by leaf */
    bool *is_possible;
    bool has_changed;
};

static bool
is_input_possible(const struct finding *finding, struct hpm_input input)
{
    return input.is_metric ? finding->is_possible[input.index]
                           : finding->is_live[input.index];
}

/* A formula needs all its operands. */
static bool
is_formula_possible(const struct finding *finding, const struct hpm_rule *rule)
{
    for (size_t i = 0; i < rule->steps.count; i++) {
        const struct hpm_step *step =
            &finding->metrics->steps[rule->steps.first + i];

        if (step->kind != HPM_OP_NUMBER && step->kind <= HPM_OP_TOTAL &&
            !is_input_possible(finding, step->input))
            return false;
    }
    return true;
}

/* A choice, or a composition, needs one of its inputs. */
static bool
is_rule_possible(const struct finding *finding, const struct hpm_rule *rule)
{
    if (rule->kind != HPM_STATEMENT_MEASURE &&
        rule->kind != HPM_STATEMENT_COMPOSE)
        return is_formula_possible(finding, rule);
    for (size_t i = 0; i < rule->inputs.count; i++) {
        if (is_input_possible(finding,
                              finding->metrics->inputs[rule->inputs.first + i]))
            return true;
    }
    return false;
}

static void
note(struct finding *finding, size_t metric)
{
    finding->has_changed |= !finding->is_possible[metric];
    finding->is_possible[metric] = true;
}

/* If only one part of a whole is missing, it can be computed as the rest. */
static void
note_rest(struct finding *finding, const struct hpm_rule *tree)
{
    size_t missing = HPM_NO_METRIC;

    for (size_t i = 0; i < tree->inputs.count; i++) {
        struct hpm_input input =
            finding->metrics->inputs[tree->inputs.first + i];

        if (is_input_possible(finding, input))
            continue;
        if (missing != HPM_NO_METRIC || !input.is_metric)
            return;
        missing = input.index;
    }
    if (missing != HPM_NO_METRIC)
        note(finding, missing);
}

static void
look_at(struct finding *finding, size_t metric)
{
    const struct hpm_metrics *metrics = finding->metrics;
    const struct hpm_metric *here = &metrics->metrics[metric];

    if (finding->is_live[here->leaf])
        note(finding, metric);
    for (size_t i = 0; i < here->rules.count; i++) {
        if (is_rule_possible(finding, &metrics->rules[here->rules.first + i]))
            note(finding, metric);
    }
    if (finding->is_possible[metric] && here->tree != HPM_NO_RULE)
        note_rest(finding, &metrics->rules[here->tree]);
}

static void
find(struct finding *finding)
{
    do {
        finding->has_changed = false;
        for (size_t i = 0; i < finding->metrics->n_metrics; i++)
            look_at(finding, finding->metrics->order[i]);
    } while (finding->has_changed);
}

bool
hpm_possible_init(struct hpm_possible *possible,
                  const struct hpm_metrics *metrics, const size_t *live,
                  size_t n_live, struct hpm_error *err)
{
    bool *is_live = hpm_memory_new(metrics->n_leaves + 1, sizeof *is_live);
    struct finding finding = {metrics, is_live, NULL, false};

    *possible = (struct hpm_possible){
        .is_possible = hpm_memory_new(metrics->n_metrics + 1, sizeof(bool)),
        .order = hpm_memory_new(metrics->n_metrics + 1, sizeof(size_t))};
    if (is_live == NULL || possible->is_possible == NULL ||
        possible->order == NULL) {
        hpm_memory_free(is_live);
        hpm_possible_clear(possible);
        return hpm_error_no_memory(err);
    }
    for (size_t i = 0; i < n_live; i++)
        is_live[live[i]] = true;
    finding.is_possible = possible->is_possible;
    find(&finding);
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        if (possible->is_possible[metrics->order[i]])
            possible->order[possible->n++] = metrics->order[i];
    }
    hpm_memory_free(is_live);
    return true;
}

void
hpm_possible_clear(struct hpm_possible *possible)
{
    hpm_memory_free(possible->is_possible);
    hpm_memory_free(possible->order);
    *possible = (struct hpm_possible){0};
}
