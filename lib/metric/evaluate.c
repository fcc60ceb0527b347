/* SPDX-License-Identifier: BSD-3-Clause
 * Values of metrics from counts. */
#include "metric/evaluate.h"

#include <math.h>

#include "metric/arithmetic.h"

struct evaluation {
    const struct hpm_metrics *metrics;
    const struct hpm_tally *counts;
    const struct hpm_whole *whole;
    struct hpm_metric_value *values;
};

static struct hpm_metric_value
input_value(const struct evaluation *evaluation, struct hpm_input input)
{
    if (input.is_metric)
        return evaluation->values[input.index];
    return hpm_metric_value_of_count(&evaluation->counts[input.index],
                                     evaluation->metrics->leaves[input.index]);
}

static const char *
input_name(const struct hpm_metrics *metrics, struct hpm_input input)
{
    return input.is_metric ? metrics->metrics[input.index].name
                           : metrics->leaves[input.index];
}

/* Neither input has a value: does the second explain better than the first why?
 * An input that was not counted explains nothing; otherwise the worst state
 * explains best. */
static bool
tells_more(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    if (a->is_present != b->is_present)
        return b->is_present;
    return b->state > a->state;
}

/* ---- formulas -------------------------------------------------------- */

/* A whole number too long for a double keeps its digits in input.index. */
static struct hpm_metric_value
written_number(const struct hpm_step *step)
{
    hpm_exact digits = (hpm_exact)step->input.index;

    return hpm_metric_value_of_number(step->number,
                                      step->input.is_metric ? &digits : NULL);
}

static struct hpm_metric_value
operand(const struct evaluation *evaluation, const struct hpm_step *step)
{
    struct evaluation whole = *evaluation;
    struct hpm_metric_value value;

    if (step->kind == HPM_OP_NUMBER)
        return written_number(step);
    if (step->kind == HPM_OP_TOTAL && evaluation->whole != NULL) {
        whole.counts = evaluation->whole->counts;
        whole.values = (struct hpm_metric_value *)evaluation->whole->values;
    }
    value = input_value(&whole, step->input);
    if (hpm_metric_value_is_there(&value) && value.is_partial)
        return hpm_metric_value_absent(
            HPM_CAUSE_PARTIAL, input_name(evaluation->metrics, step->input));
    if (hpm_metric_value_is_there(&value))
        value.culprit = input_name(evaluation->metrics, step->input);
    return value;
}

/* A missing operand makes the result missing: the user did not ask for the
 * metric then.  Otherwise, if operands are n/a, the result is n/a for the
 * reason of the operand with the worst state.  Only if all operands have values
 * can the result be undefined. */
static struct hpm_metric_value
calculate(const struct evaluation *evaluation, const struct hpm_rule *rule)
{
    struct hpm_metric_value stack[HPM_MAX_OPERANDS];
    struct hpm_metric_value failed = {0}, lacking = {0};
    size_t n = 0;

    for (size_t i = 0; i < rule->steps.count; i++) {
        const struct hpm_step *step =
            &evaluation->metrics->steps[rule->steps.first + i];

        if (step->kind <= HPM_OP_TOTAL) {
            stack[n] = operand(evaluation, step);
            if (!stack[n].is_present)
                return stack[n];
            if (isnan(stack[n].value) && (lacking.cause == HPM_CAUSE_NONE ||
                                          tells_more(&lacking, &stack[n])))
                lacking = stack[n];
            n++;
        } else if (step->kind == HPM_OP_NEGATE) {
            stack[n - 1] = hpm_arithmetic_negate(stack[n - 1]);
        } else {
            n--;
            stack[n - 1] = isnan(stack[n - 1].value) ? stack[n - 1]
                           : isnan(stack[n].value)
                               ? stack[n]
                               : hpm_arithmetic_combine(step->kind,
                                                        stack[n - 1], stack[n]);
        }
        if (isnan(stack[n - 1].value) && failed.cause == HPM_CAUSE_NONE)
            failed = stack[n - 1];
    }
    if (lacking.cause != HPM_CAUSE_NONE)
        return lacking;
    if (failed.cause != HPM_CAUSE_NONE)
        return failed;
    stack[0].culprit = NULL;
    return stack[0];
}

/* ---- sums and choices ------------------------------------------------ */

/* Add the parts that are there; if some are missing, the sum is partial. */
static struct hpm_metric_value
compose(const struct evaluation *evaluation, const struct hpm_rule *rule)
{
    struct hpm_metric_value sum = hpm_arithmetic_no_parts(), none = {0};
    size_t n_present = 0;

    for (size_t i = 0; i < rule->inputs.count; i++) {
        struct hpm_input input =
            evaluation->metrics->inputs[rule->inputs.first + i];
        struct hpm_metric_value part = input_value(evaluation, input);

        if (hpm_metric_value_is_there(&part)) {
            if (!hpm_arithmetic_add_part(&sum, part, n_present == 0))
                return sum;
            n_present++;
        } else if (none.cause == HPM_CAUSE_NONE || tells_more(&none, &part)) {
            none = part;
        }
    }
    if (n_present == 0)
        return none;
    sum.is_partial |= n_present < rule->inputs.count;
    return sum;
}

/* Is the second a better answer than the first?  The order is: a whole value, a
 * partial one, a reason why there is none, nothing. */
static bool
is_better(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    if (hpm_metric_value_is_there(a) != hpm_metric_value_is_there(b))
        return hpm_metric_value_is_there(b);
    if (hpm_metric_value_is_there(a))
        return a->is_partial && !b->is_partial;
    return b->is_present && !a->is_present;
}

static struct hpm_metric_value
choose(const struct evaluation *evaluation, const struct hpm_rule *rule)
{
    struct hpm_metric_value best = {0};

    for (size_t i = 0; i < rule->inputs.count; i++) {
        struct hpm_input input =
            evaluation->metrics->inputs[rule->inputs.first + i];
        struct hpm_metric_value value = input_value(evaluation, input);

        if (i == 0 || is_better(&best, &value))
            best = value;
    }
    return best;
}

static struct hpm_metric_value
apply(const struct evaluation *evaluation, const struct hpm_rule *rule)
{
    struct hpm_metric_value value;

    switch (rule->kind) {
    case HPM_STATEMENT_MEASURE:
        value = choose(evaluation, rule);
        value.way = HPM_WAY_MEASURED;
        break;
    case HPM_STATEMENT_COMPOSE:
        value = compose(evaluation, rule);
        value.way = HPM_WAY_COMPOSED;
        break;
    default:
        value = calculate(evaluation, rule);
        value.way = HPM_WAY_COMPUTED;
        value.is_usage = false;
        break;
    }
    value.rule = (size_t)(rule - evaluation->metrics->rules);
    hpm_arithmetic_doubt_means(&value);
    return value;
}

/* ---- metrics --------------------------------------------------------- */

/* All inputs are there, but the result is undefined: then a more general
 * definition must not answer instead. */
static bool
is_undefined(const struct hpm_metric_value *value)
{
    return value->is_present && isnan(value->value) &&
           value->state == HPM_STATE_UNDEFINED &&
           value->cause != HPM_CAUSE_EXCESS;
}

static struct hpm_metric_value
find_value(const struct evaluation *evaluation, const struct hpm_metric *metric)
{
    struct hpm_metric_value best = hpm_metric_value_of_count(
        &evaluation->counts[metric->leaf], metric->name);
    bool is_first = true;
    unsigned least_rank = 0;

    for (size_t i = 0;
         i < metric->rules.count && !hpm_metric_value_is_complete(&best); i++) {
        const struct hpm_rule *rule =
            &evaluation->metrics->rules[metric->rules.first + i];
        struct hpm_metric_value value;

        if (rule->is_cut || rule->rank < least_rank)
            continue;
        value = apply(evaluation, rule);
        /* without a value, keep the best rule's reason */
        if (is_better(&best, &value) || (is_first && !best.is_present))
            best = value;
        is_first = false;
        if (is_undefined(&value)) {
            if (!hpm_metric_value_is_there(&best))
                best = value;
            least_rank = rule->rank;
        }
    }
    if (!best.is_present && metric->lack.name != NULL &&
        (!metric->lack.is_known || metric->rules.count == 0))
        best =
            hpm_metric_value_absent(!metric->lack.is_known    ? HPM_CAUSE_FACT
                                    : metric->lack.is_negated ? HPM_CAUSE_IF_NO
                                                              : HPM_CAUSE_IF,
                                    metric->lack.fact);
    return best;
}

/* Did infer_part find this value impossible?  A rule's result may have the same
 * cause from its input, but may yet be inferred from another whole. */
static bool
is_excess(const struct hpm_metric_value *value)
{
    return value->cause == HPM_CAUSE_EXCESS && value->rule == HPM_NO_RULE;
}

/* True if the part was not settled before. */
static bool
settle_excess(struct hpm_metric_value *part, const char *whole)
{
    bool is_new = !is_excess(part);

    *part =
        hpm_metric_value_lacking(HPM_STATE_UNDEFINED, HPM_CAUSE_EXCESS, whole);
    return is_new;
}

/* Does a later composition of the whole have all its parts?  Then that one holds, and
 * the first one has a part that this machine or run knows nothing of. */
static bool
has_other_composition(const struct evaluation *evaluation, size_t whole)
{
    const struct hpm_metrics *metrics = evaluation->metrics;
    const struct hpm_metric *metric = &metrics->metrics[whole];

    for (size_t i = 0; i < metric->rules.count; i++) {
        size_t number = metric->rules.first + i;
        const struct hpm_rule *rule = &metrics->rules[number];
        struct hpm_metric_value sum;

        if (rule->kind != HPM_STATEMENT_COMPOSE || number == metric->tree ||
            rule->is_cut)
            continue;
        sum = compose(evaluation, rule);
        if (hpm_metric_value_is_complete(&sum))
            return true;
    }
    return false;
}

/* Infer the one missing part of a known whole.  False if no part or more than
 * one is missing, or if nothing new is found. */
static bool
infer_part(struct evaluation *evaluation, size_t whole)
{
    const struct hpm_metrics *metrics = evaluation->metrics;
    const struct hpm_rule *tree = &metrics->rules[metrics->metrics[whole].tree];
    struct hpm_metric_value rest = evaluation->values[whole];
    size_t missing = HPM_NO_METRIC;
    bool is_natural = rest.value >= 0.0;

    for (size_t i = 0; i < tree->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[tree->inputs.first + i];
        struct hpm_metric_value part = input_value(evaluation, input);

        if (hpm_metric_value_is_complete(&part)) {
            is_natural &= part.value >= 0.0;
            rest = hpm_arithmetic_combine(HPM_OP_SUBTRACT, rest, part);
        } else if (missing != HPM_NO_METRIC || part.is_partial ||
                   is_undefined(&part) || !input.is_metric) {
            return false;
        } else {
            missing = input.index;
        }
    }
    /* the rest is no number if domains differ or it is too large */
    if (missing == HPM_NO_METRIC || !isfinite(rest.value) ||
        has_other_composition(evaluation, whole))
        return false;
    if (is_natural && rest.value < 0.0)
        return settle_excess(&evaluation->values[missing],
                             metrics->metrics[whole].name);
    if (rest.state < HPM_STATE_INFERRED)
        rest.state = HPM_STATE_INFERRED;
    rest.way = HPM_WAY_INFERRED;
    rest.rule = HPM_NO_RULE;
    hpm_arithmetic_doubt_means(&rest);
    evaluation->values[missing] = rest;
    return true;
}

/* Goes from wholes to their parts, so that an inferred part can be the whole of
 * the next. */
static bool
infer_parts(struct evaluation *evaluation, const size_t *order, size_t n)
{
    const struct hpm_metrics *metrics = evaluation->metrics;
    bool has_changed = false;

    for (size_t i = n; i > 0; i--) {
        size_t whole = order[i - 1];

        if (metrics->metrics[whole].tree != HPM_NO_RULE &&
            hpm_metric_value_is_complete(&evaluation->values[whole]))
            has_changed |= infer_part(evaluation, whole);
    }
    return has_changed;
}

/* Each round but the last completes at least one metric, or finds one
 * impossible; metrics that use it learn that in the next round. */
static void
find_values(struct evaluation *evaluation, const size_t *order, size_t n)
{
    struct hpm_metric_value *values = evaluation->values;
    bool has_changed = true;

    for (size_t i = 0; i < n; i++)
        values[order[i]] = hpm_metric_value_absent(HPM_CAUSE_NONE, NULL);
    while (has_changed) {
        for (size_t i = 0; i < n; i++) {
            size_t metric = order[i];

            if (!hpm_metric_value_is_complete(&values[metric]) &&
                !is_excess(&values[metric]))
                values[metric] = find_value(
                    evaluation, &evaluation->metrics->metrics[metric]);
        }
        has_changed = infer_parts(evaluation, order, n);
    }
}

void
hpm_metrics_evaluate(const struct hpm_metrics *metrics,
                     const struct hpm_tally *counts,
                     const struct hpm_whole *whole,
                     struct hpm_metric_value *ret_values)
{
    struct evaluation evaluation = {metrics, counts, whole, ret_values};

    find_values(&evaluation, metrics->order, metrics->n_metrics);
}

void
hpm_metrics_evaluate_possible(const struct hpm_metrics *metrics,
                              const size_t *order, size_t n,
                              const struct hpm_tally *counts,
                              const struct hpm_whole *whole,
                              struct hpm_metric_value *values)
{
    struct evaluation evaluation = {metrics, counts, whole, values};

    find_values(&evaluation, order, n);
}

bool
hpm_metrics_is_derived(const struct hpm_metrics *metrics, size_t metric,
                       const struct hpm_metric_value *value)
{
    const struct hpm_limits *limits = metrics->metrics[metric].limits;

    if (!value->is_present)
        return false;
    return (value->way != HPM_WAY_COUNTER && value->way != HPM_WAY_MEASURED) ||
           hpm_limits_are_given(&limits[HPM_PRECISION_SINGLE]) ||
           hpm_limits_are_given(&limits[HPM_PRECISION_DOUBLE]);
}

/* ---- verdicts -------------------------------------------------------- */

static struct hpm_judged
judged_of(const struct hpm_metrics *metrics,
          const struct hpm_metric_value *values, size_t metric)
{
    const struct hpm_metric *here = &metrics->metrics[metric];
    const struct hpm_metric_value *value = &values[metric];

    return (struct hpm_judged){.value = value->value / here->scale,
                               .error =
                                   (value->error + value->coarse) / here->scale,
                               .least = here->least,
                               .most = here->most,
                               .doubt = value->doubt,
                               .is_partial = value->is_partial};
}

enum hpm_doubt
hpm_metrics_doubt(const struct hpm_metrics *metrics,
                  const struct hpm_metric_value *values, size_t metric)
{
    struct hpm_judged judged = judged_of(metrics, values, metric);

    return hpm_judged_doubt(&judged, metrics->metrics[metric].limits);
}

enum hpm_verdict
hpm_metrics_judge(const struct hpm_metrics *metrics,
                  const struct hpm_metric_value *values, size_t metric,
                  enum hpm_precision precision)
{
    const struct hpm_metric *here = &metrics->metrics[metric];
    struct hpm_judged judged = judged_of(metrics, values, metric);
    enum hpm_verdict verdict =
        hpm_judged_verdict(&judged, here->limits, precision);

    if (verdict == HPM_VERDICT_NONE)
        return HPM_VERDICT_NONE;
    for (size_t above = here->parent; above != HPM_NO_METRIC;
         above = metrics->metrics[above].parent) {
        const struct hpm_metric *parent = &metrics->metrics[above];
        struct hpm_judged whole = judged_of(metrics, values, above);
        enum hpm_verdict own =
            hpm_judged_verdict(&whole, parent->limits, precision);

        /* a thread gets no verdict from a metric that is judged for the whole
         * run */
        if (parent->is_of_run == here->is_of_run &&
            parent->limits[precision].bad.is_given && own != HPM_VERDICT_BAD)
            return HPM_VERDICT_NEUTRAL;
    }
    return verdict;
}
