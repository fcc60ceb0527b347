/* SPDX-License-Identifier: BSD-3-Clause
 * Values of metrics from counts. */
#include "metric/evaluate.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* As hpm integrate names runs and metrics. */
static const double most_spread = 0.05;

struct evaluation {
    const struct hpm_metrics *metrics;
    const struct hpm_tally *counts;
    const struct hpm_whole *whole;
    struct hpm_metric_value *values;
};

static double
larger(double a, double b)
{
    return a > b ? a : b;
}

static struct hpm_metric_value
absent(enum hpm_cause cause, const char *culprit)
{
    return (struct hpm_metric_value){.rule = HPM_NO_RULE,
                                     .state = HPM_STATE_UNSUPPORTED,
                                     .value = NAN,
                                     .cause = cause,
                                     .culprit = culprit};
}

static struct hpm_metric_value
not_available(enum hpm_state state, enum hpm_cause cause, const char *culprit)
{
    struct hpm_metric_value value = absent(cause, culprit);

    value.is_present = true;
    value.state = state;
    return value;
}

static struct hpm_metric_value
number(double value)
{
    return (struct hpm_metric_value){.is_present = true, .value = value};
}

/* Doubles have all whole numbers up to here. */
static const double most_whole = 9007199254740992.0;

/* One that was written: its value is a double, and of a long one its digits are
 * in the place of an input. */
static struct hpm_metric_value
written_number(const struct hpm_step *step)
{
    struct hpm_metric_value value = number(step->number);

    if (step->input.is_metric) {
        value.is_exact = true;
        value.exact = (hpm_exact)step->input.index;
    } else if (fabs(step->number) < most_whole &&
               step->number == (double)(int64_t)step->number) {
        value.is_exact = true;
        value.exact = (int64_t)step->number;
    }
    return value;
}

struct hpm_tally
hpm_tally_refuse(const char *counter, enum hpm_privilege privilege)
{
    return (struct hpm_tally){.is_present = true,
                              .state = HPM_STATE_UNSUPPORTED,
                              .value = NAN,
                              .privilege = privilege,
                              .refused = counter};
}

bool
hpm_tally_is_of_process(const char *counter)
{
    static const char sde[] = "sde:::";

    return strncmp(counter, sde, strlen(sde)) == 0 ||
           hpm_tally_is_peak(counter);
}

bool
hpm_tally_is_peak(const char *counter)
{
    return strcmp(counter, "ru::maxrss") == 0;
}

static const struct hpm_runs *
runs_of_both(const struct hpm_runs *a, const struct hpm_runs *b)
{
    if (a == NULL || a == b)
        return b;
    return b == NULL ? a : a->both(a, b);
}

static void
add_exact(struct hpm_tally *sum, const struct hpm_tally *more)
{
    if (sum->is_present)
        sum->is_exact =
            sum->is_exact && more->is_exact &&
            !__builtin_add_overflow(sum->exact, more->exact, &sum->exact);
    else if ((sum->is_exact = more->is_exact))
        sum->exact = more->exact;
}

void
hpm_tally_add(struct hpm_tally *sum, const struct hpm_tally *more,
              bool are_of_process)
{
    if (more->cause != HPM_CAUSE_NONE)
        sum->cause = more->cause;
    else if (are_of_process)
        sum->cause = HPM_CAUSE_PROCESS;
    sum->place = more->place;
    sum->omits_children =
        more->omits_children && (sum->omits_children || !sum->is_present);
    sum->is_events = more->is_events && (sum->is_events || !sum->is_present);
    sum->runs =
        sum->is_present ? runs_of_both(sum->runs, more->runs) : more->runs;
    add_exact(sum, more);
    sum->is_present = true;
    sum->is_partial |= more->is_partial;
    sum->privilege = more->privilege;
    if (more->refused != NULL)
        sum->refused = more->refused;
    sum->value = sum->is_exact ? (double)sum->exact : sum->value + more->value;
    sum->error += more->error;
    sum->spread += more->spread;
    sum->resolution += more->resolution;
    if (more->doubt > sum->doubt)
        sum->doubt = more->doubt;
    if (more->state > sum->state)
        sum->state = more->state;
}

/* The inputs count several domains. */
static struct hpm_metric_value
mixed(void)
{
    return not_available(HPM_STATE_UNDEFINED, HPM_CAUSE_DOMAIN, NULL);
}

static bool
is_mixed(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    return a->privilege != HPM_PRIVILEGE_ANY &&
           b->privilege != HPM_PRIVILEGE_ANY && a->privilege != b->privilege;
}

static struct hpm_metric_value
refused_value(const struct hpm_tally *count)
{
    struct hpm_metric_value value =
        not_available(HPM_STATE_UNSUPPORTED, HPM_CAUSE_DOMAIN, count->refused);

    value.privilege = count->privilege;
    return value;
}

static enum hpm_doubt
worse_doubt(enum hpm_doubt a, enum hpm_doubt b)
{
    return a > b ? a : b;
}

/* The runs that counted the inputs of both; where there is none, the value is
 * of no run. */
static void
share_runs(struct hpm_metric_value *value, const struct hpm_runs *other)
{
    const struct hpm_runs *own = value->runs;

    value->runs = runs_of_both(own, other);
    if (own == NULL || other == NULL)
        return;
    value->combines_means |= own != other;
    if (value->runs->is_none)
        value->doubt = worse_doubt(value->doubt, HPM_DOUBT_RUNS);
}

/* A mean over some runs beside one over others: where no run is far from its
 * mean, no run has a value far from theirs. */
static void
doubt_means(struct hpm_metric_value *value)
{
    if (value->combines_means &&
        value->spread > most_spread * fabs(value->value))
        value->doubt = worse_doubt(value->doubt, HPM_DOUBT_MEANS);
}

/* What may be wrong with a whole number of that amount in a double. */
static double
digits_lost(double amount)
{
    return amount >= most_whole ? amount * DBL_EPSILON : 0.0;
}

/* What ticks may have done and, where events are few, chance, which makes n of
 * them n give or take its root; where they are more than a double has digits
 * for, rounding. */
static double
coarseness(const struct hpm_tally *count)
{
    double amount = fabs(count->value);
    bool is_few = count->is_events && amount < HPM_FEW_EVENTS;

    return count->resolution + (is_few ? sqrt(amount) : 0.0) +
           (count->is_events && !count->is_exact ? digits_lost(amount) : 0.0);
}

static struct hpm_metric_value
count_value(const struct hpm_tally *count, const char *name)
{
    if (!count->is_present)
        return absent(HPM_CAUSE_MISSING, name);
    if (count->refused != NULL)
        return refused_value(count);
    if (count->cause != HPM_CAUSE_NONE && hpm_state_has_value(count->state))
        return not_available(HPM_STATE_UNSUPPORTED, count->cause, name);
    if (count->is_partial && hpm_state_has_value(count->state))
        return not_available(HPM_STATE_UNSUPPORTED, HPM_CAUSE_PARTIAL, name);
    if (!hpm_state_has_value(count->state) || isnan(count->value))
        return not_available(count->state, HPM_CAUSE_STATE, name);
    return (struct hpm_metric_value){.is_present = true,
                                     .way = HPM_WAY_COUNTER,
                                     .rule = HPM_NO_RULE,
                                     .state = count->state,
                                     .value = count->value,
                                     .is_exact = count->is_exact,
                                     .exact = count->exact,
                                     .error = count->error,
                                     .coarse = coarseness(count),
                                     .doubt = count->doubt,
                                     .runs = count->runs,
                                     .spread = count->spread,
                                     .is_events = count->is_events,
                                     .one = count->is_events ? 1.0 : 0.0,
                                     .privilege = count->privilege,
                                     .is_usage = strncmp(name, "ru::", 4) == 0};
}

static struct hpm_metric_value
input_value(const struct evaluation *evaluation, struct hpm_input input)
{
    if (input.is_metric)
        return evaluation->values[input.index];
    return count_value(&evaluation->counts[input.index],
                       evaluation->metrics->leaves[input.index]);
}

static const char *
input_name(const struct hpm_metrics *metrics, struct hpm_input input)
{
    return input.is_metric ? metrics->metrics[input.index].name
                           : metrics->leaves[input.index];
}

static bool
has_value(const struct hpm_metric_value *value)
{
    return value->is_present && !isnan(value->value);
}

static bool
is_complete(const struct hpm_metric_value *value)
{
    return has_value(value) && !value->is_partial;
}

/* Of two inputs without a value, is the second a better reason why there is
 * none?  What was not to be counted tells nothing, else the worst state. */
static bool
tells_more(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    if (a->is_present != b->is_present)
        return b->is_present;
    return b->state > a->state;
}

/* ---- formulas -------------------------------------------------------- */

/* An operand keeps in `culprit` the name it came from, while it is one. */
static struct hpm_metric_value
divide(struct hpm_metric_value a, struct hpm_metric_value b)
{
    if (b.value == 0.0)
        return not_available(HPM_STATE_UNDEFINED, HPM_CAUSE_ZERO, b.culprit);
    if (fabs(b.value) <= b.error)
        return not_available(HPM_STATE_UNDEFINED, HPM_CAUSE_ERROR, b.culprit);
    if (b.error > fabs(b.value) / 10 || b.coarse > fabs(b.value) / 10)
        a.doubt = worse_doubt(a.doubt, HPM_DOUBT_FEW);
    if (a.is_events && a.value == 0.0)
        a.coarse = larger(a.coarse, a.one); /* so short a time may have had none
                                           * by chance */
    a.one = 0.0; /* is in a.coarse, where it matters */
    a.coarse = (a.coarse + fabs(a.value / b.value) * b.coarse) / fabs(b.value);
    a.error = (a.error + fabs(a.value / b.value) * b.error) / fabs(b.value);
    a.spread = (a.spread + fabs(a.value / b.value) * b.spread) / fabs(b.value);
    a.value /= b.value;
    return a;
}

/* From here on the double serves. */
static void
become_inexact(struct hpm_metric_value *value)
{
    if (value->is_exact && value->is_events)
        value->coarse += digits_lost(fabs(value->value));
    value->is_exact = false;
}

/* An operation is exact with two exact numbers only. */
static void
lose_exactness(struct hpm_metric_value *a, struct hpm_metric_value *b)
{
    if (a->is_exact && b->is_exact)
        return;
    become_inexact(a);
    become_inexact(b);
}

/* Numbers of which both are exact, with an exact result.  Doubles serve where it
 * is too large. */
static void
calculate_exactly(enum hpm_op_kind kind, struct hpm_metric_value *a,
                  const struct hpm_metric_value *b)
{
    bool overflows = true;
    hpm_exact exact = 0;

    if (!a->is_exact || !b->is_exact)
        return;
    if (kind == HPM_OP_ADD)
        overflows = __builtin_add_overflow(a->exact, b->exact, &exact);
    else if (kind == HPM_OP_SUBTRACT)
        overflows = __builtin_sub_overflow(a->exact, b->exact, &exact);
    else if (kind == HPM_OP_MULTIPLY)
        overflows = __builtin_mul_overflow(a->exact, b->exact, &exact);
    if (overflows) {
        become_inexact(a);
        return;
    }
    a->exact = exact;
    a->value = (double)exact;
}

static bool
is_less(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    if (a->is_exact && b->is_exact)
        return a->exact < b->exact;
    return a->value < b->value;
}

/* A tick that one of getrusage's times has too much the other has too little:
 * their sum is exact. */
static double
add_coarseness(const struct hpm_metric_value *a,
               const struct hpm_metric_value *b)
{
    bool are_times =
        a->is_usage && b->is_usage && !a->is_events && !b->is_events;

    return are_times ? fabs(a->coarse - b->coarse) : a->coarse + b->coarse;
}

/* Not one of its operands. */
static bool
is_calculated(enum hpm_op_kind kind)
{
    return kind == HPM_OP_ADD || kind == HPM_OP_SUBTRACT ||
           kind == HPM_OP_MULTIPLY || kind == HPM_OP_DIVIDE;
}

/* Nothing is known where they are nearer than they are exact. */
static struct hpm_metric_value
compare(struct hpm_metric_value a, const struct hpm_metric_value *b)
{
    double distance = fabs(a.value - b->value);
    bool is_true = is_less(&a, b);

    a.error = distance < a.error + b->error ? 1.0 : 0.0;
    a.coarse = distance < a.coarse + b->coarse ? 1.0 : 0.0;
    a.spread = distance < a.spread + b->spread ? 1.0 : 0.0;
    a.one = 0.0;
    a.is_exact = true;
    a.exact = is_true;
    a.value = is_true ? 1.0 : 0.0;
    return a;
}

/* The number, and how far off it may be. */
static struct hpm_metric_value
operate(enum hpm_op_kind kind, struct hpm_metric_value a,
        struct hpm_metric_value b)
{
    switch (kind) {
    case HPM_OP_ADD:
        a.coarse = add_coarseness(&a, &b);
        a.one = larger(a.one, b.one);
        a.value += b.value;
        calculate_exactly(kind, &a, &b);
        a.error += b.error;
        a.spread += b.spread;
        break;
    case HPM_OP_SUBTRACT:
        a.value -= b.value;
        calculate_exactly(kind, &a, &b);
        a.coarse += b.coarse;
        a.one = larger(a.one, b.one);
        a.error += b.error;
        a.spread += b.spread;
        break;
    case HPM_OP_MULTIPLY:
        a.error = a.error * fabs(b.value) + b.error * fabs(a.value);
        a.spread = a.spread * fabs(b.value) + b.spread * fabs(a.value);
        a.coarse = a.coarse * fabs(b.value) + b.coarse * fabs(a.value);
        a.one = a.one * fabs(b.value) + b.one * fabs(a.value);
        a.value *= b.value;
        calculate_exactly(kind, &a, &b);
        break;
    case HPM_OP_DIVIDE:
        return divide(a, b);
    case HPM_OP_MIN:
        return is_less(&b, &a) ? b : a;
    case HPM_OP_LESS:
        return compare(a, &b);
    default:
        return is_less(&a, &b) ? b : a;
    }
    return a;
}

static struct hpm_metric_value
combine(enum hpm_op_kind kind, struct hpm_metric_value a,
        struct hpm_metric_value b)
{
    enum hpm_state state = a.state > b.state ? a.state : b.state;
    enum hpm_doubt doubt = worse_doubt(a.doubt, b.doubt);
    bool is_usage = a.is_usage && b.is_usage && kind == HPM_OP_ADD;
    bool is_events = (a.is_events || b.is_events) && kind != HPM_OP_DIVIDE &&
                     kind != HPM_OP_LESS;
    enum hpm_privilege privilege =
        a.privilege != HPM_PRIVILEGE_ANY ? a.privilege : b.privilege;
    const struct hpm_runs *a_runs = a.runs, *b_runs = b.runs;
    bool combines_means = a.combines_means || b.combines_means;

    if (is_mixed(&a, &b))
        return mixed();
    if (kind == HPM_OP_DIVIDE)
        become_inexact(&a);
    if (is_calculated(kind))
        lose_exactness(&a, &b);
    a = operate(kind, a, b);
    if (a.cause != HPM_CAUSE_NONE)
        return a;
    a.state = state;
    a.doubt = worse_doubt(a.doubt, doubt);
    a.runs = a_runs;
    a.combines_means = combines_means;
    share_runs(&a, b_runs);
    a.is_usage = is_usage;
    a.is_events = is_events;
    a.privilege = privilege;
    a.culprit = NULL;
    if (isfinite(a.value))
        return a;
    return not_available(HPM_STATE_UNDEFINED, HPM_CAUSE_OVERFLOW, NULL);
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
    if (has_value(&value) && value.is_partial)
        return absent(HPM_CAUSE_PARTIAL,
                      input_name(evaluation->metrics, step->input));
    if (has_value(&value))
        value.culprit = input_name(evaluation->metrics, step->input);
    return value;
}

static struct hpm_metric_value
negate(struct hpm_metric_value value)
{
    value.value = -value.value;
    value.is_exact =
        value.is_exact &&
        !__builtin_sub_overflow((hpm_exact)0, value.exact, &value.exact);
    return value;
}

/* An operand that is not there decides, for without it nobody asked for the
 * metric; else of those that are n/a the one of the worst state.  Only where
 * all have values, the result may be undefined. */
static struct hpm_metric_value
calculate(const struct evaluation *evaluation, const struct hpm_rule *rule)
{
    struct hpm_metric_value stack[HPM_MAX_OPERANDS];
    struct hpm_metric_value failed = number(0.0), lacking = number(0.0);
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
            stack[n - 1] = negate(stack[n - 1]);
        } else {
            n--;
            stack[n - 1] = isnan(stack[n - 1].value) ? stack[n - 1]
                           : isnan(stack[n].value)
                               ? stack[n]
                               : combine(step->kind, stack[n - 1], stack[n]);
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

/* Of parts that are there; the others make it partial. */
static struct hpm_metric_value
compose(const struct evaluation *evaluation, const struct hpm_rule *rule)
{
    struct hpm_metric_value sum = number(0.0), none = {0};
    size_t n_present = 0;

    sum.is_events = sum.is_usage = sum.is_exact = true;
    for (size_t i = 0; i < rule->inputs.count; i++) {
        struct hpm_input input =
            evaluation->metrics->inputs[rule->inputs.first + i];
        struct hpm_metric_value part = input_value(evaluation, input);

        if (has_value(&part) && is_mixed(&sum, &part))
            return mixed();
        if (has_value(&part)) {
            n_present++;
            if (part.privilege != HPM_PRIVILEGE_ANY)
                sum.privilege = part.privilege;
            lose_exactness(&sum, &part);
            sum.value += part.value;
            calculate_exactly(HPM_OP_ADD, &sum, &part);
            sum.error += part.error;
            sum.is_partial |= part.is_partial;
            sum.coarse =
                n_present == 1 ? part.coarse : add_coarseness(&sum, &part);
            sum.one = larger(sum.one, part.one);
            sum.doubt = worse_doubt(sum.doubt, part.doubt);
            sum.spread += part.spread;
            sum.combines_means |= part.combines_means;
            share_runs(&sum, part.runs);
            sum.is_events &= part.is_events;
            sum.is_usage &= part.is_usage;
            if (part.state > sum.state)
                sum.state = part.state;
        } else if (none.cause == HPM_CAUSE_NONE || tells_more(&none, &part)) {
            none = part;
        }
    }
    if (n_present == 0)
        return none;
    sum.is_partial |= n_present < rule->inputs.count;
    return sum;
}

/* Is the second a better answer than the first?  A whole value, then a part of
 * it, then a reason why there is none, then nothing. */
static bool
is_better(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    if (has_value(a) != has_value(b))
        return has_value(b);
    if (has_value(a))
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
    doubt_means(&value);
    return value;
}

/* ---- metrics --------------------------------------------------------- */

/* Everything is there and the result is none: then no more general definition
 * says better. */
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
    struct hpm_metric_value best =
        count_value(&evaluation->counts[metric->leaf], metric->name);
    bool is_first = true;
    unsigned least_rank = 0;

    for (size_t i = 0; i < metric->rules.count && !is_complete(&best); i++) {
        const struct hpm_rule *rule =
            &evaluation->metrics->rules[metric->rules.first + i];
        struct hpm_metric_value value;

        if (rule->is_cut || rule->rank < least_rank)
            continue;
        value = apply(evaluation, rule);
        /* of reasons, that of the best rule tells most */
        if (is_better(&best, &value) || (is_first && !best.is_present))
            best = value;
        is_first = false;
        if (is_undefined(&value)) {
            if (!has_value(&best))
                best = value;
            least_rank = rule->rank;
        }
    }
    if (!best.is_present && metric->unknown_fact != NULL)
        best = absent(HPM_CAUSE_FACT, metric->unknown_fact);
    return best;
}

/* The one part of a known whole that is missing.  False if there is none, or
 * more, or what is left would be less than nothing. */
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

        if (is_complete(&part)) {
            is_natural &= part.value >= 0.0;
            rest = combine(HPM_OP_SUBTRACT, rest, part);
        } else if (missing != HPM_NO_METRIC || part.is_partial ||
                   is_undefined(&part) || !input.is_metric) {
            return false;
        } else {
            missing = input.index;
        }
    }
    if (missing == HPM_NO_METRIC)
        return false;
    if (is_natural && rest.value < 0.0) {
        evaluation->values[missing] =
            not_available(HPM_STATE_UNDEFINED, HPM_CAUSE_EXCESS,
                          metrics->metrics[whole].name);
        return false;
    }
    if (rest.state < HPM_STATE_INFERRED)
        rest.state = HPM_STATE_INFERRED;
    rest.way = HPM_WAY_INFERRED;
    rest.rule = HPM_NO_RULE;
    doubt_means(&rest);
    evaluation->values[missing] = rest;
    return true;
}

/* Wholes before their parts, so that a part that was inferred may be the whole
 * of the next. */
static bool
infer_parts(struct evaluation *evaluation, const size_t *order, size_t n)
{
    const struct hpm_metrics *metrics = evaluation->metrics;
    bool has_changed = false;

    for (size_t i = n; i > 0; i--) {
        size_t whole = order[i - 1];

        if (metrics->metrics[whole].tree != HPM_NO_RULE &&
            is_complete(&evaluation->values[whole]))
            has_changed |= infer_part(evaluation, whole);
    }
    return has_changed;
}

/* What infer_part settled; a rule's result has the reason of its input, which
 * may yet be inferred from another whole. */
static bool
is_excess(const struct hpm_metric_value *value)
{
    return value->cause == HPM_CAUSE_EXCESS && value->rule == HPM_NO_RULE;
}

/* Each round completes at least one metric, or is the last. */
static void
find_values(struct evaluation *evaluation, const size_t *order, size_t n)
{
    struct hpm_metric_value *values = evaluation->values;
    bool has_changed = true;

    for (size_t i = 0; i < n; i++)
        values[order[i]] = absent(HPM_CAUSE_NONE, NULL);
    while (has_changed) {
        for (size_t i = 0; i < n; i++) {
            size_t metric = order[i];

            if (!is_complete(&values[metric]) && !is_excess(&values[metric]))
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

static void
explain_domain(const struct hpm_metric_value *value, struct hpm_string *string)
{
    static const char *const domains[] = {
        [HPM_PRIVILEGE_ANY] = "another domain",
        [HPM_PRIVILEGE_USER] = "user code only",
        [HPM_PRIVILEGE_KERNEL] = "the kernel only",
        [HPM_PRIVILEGE_ALL] = "user code and the kernel"};

    if (value->culprit == NULL)
        hpm_string_add(string, "its counters count different domains");
    else
        hpm_string_add_format(string, "'%s' counts %s", value->culprit,
                              domains[value->privilege]);
}

/* The culprit has a value, which is of no use here. */
static void
explain_use(enum hpm_cause cause, const char *culprit,
            struct hpm_string *string)
{
    static const char *const texts[] = {
        [HPM_CAUSE_RUNS] = "', of which some of the runs have no value",
        [HPM_CAUSE_PROCESS] = "', which " HPM_REASON_OF_PROCESS,
        [HPM_CAUSE_TWICE] = "', the sum of which may have twice what forked "
                            "processes did",
        [HPM_CAUSE_PEAK] = "' of the whole run: of a section it is only by how "
                           "much the maximum grew there"};

    hpm_string_add_format(string, "needs '%s%s", culprit, texts[cause]);
}

bool
hpm_metric_value_add_exact(struct hpm_string *string,
                           const struct hpm_metric_value *value, double scale)
{
    char digits[48];
    size_t first = sizeof digits;
    unsigned __int128 rest;

    if (!value->is_exact || scale != 1.0 || fabs(value->value) < most_whole)
        return false;
    rest = (unsigned __int128)value->exact;
    if (value->exact < 0)
        rest = -rest;
    for (; rest > 0; rest /= 10)
        digits[--first] = (char)('0' + (int)(rest % 10));
    if (value->exact < 0)
        digits[--first] = '-';
    hpm_string_add_bytes(string, digits + first, sizeof digits - first);
    return true;
}

void
hpm_metric_value_explain(const struct hpm_metric_value *value,
                         struct hpm_string *string)
{
    const char *culprit = value->culprit != NULL ? value->culprit : "";
    bool is_named = value->culprit != NULL;

    switch (value->cause) {
    case HPM_CAUSE_NONE:
        break;
    case HPM_CAUSE_MISSING:
        hpm_string_add_format(string, "needs '%s', which was not counted",
                              culprit);
        break;
    case HPM_CAUSE_STATE:
        hpm_string_add_format(string, "needs '%s', which is %s", culprit,
                              hpm_state_name(value->state));
        break;
    case HPM_CAUSE_PARTIAL:
        hpm_string_add_format(string,
                              "needs '%s', parts of which were not "
                              "counted",
                              culprit);
        break;
    case HPM_CAUSE_ZERO:
        hpm_string_add_format(
            string, is_named ? "'%s' is 0" : "division by 0%s", culprit);
        break;
    case HPM_CAUSE_ERROR:
        hpm_string_add_format(string,
                              is_named ? "'%s' is not above its measuring "
                                         "error"
                                       : "division by a number that is not "
                                         "above its measuring error%s",
                              culprit);
        break;
    case HPM_CAUSE_OVERFLOW:
        hpm_string_add(string, "the result is too large");
        break;
    case HPM_CAUSE_DOMAIN:
        explain_domain(value, string);
        break;
    case HPM_CAUSE_EXCESS:
        hpm_string_add_format(string, "the other parts of '%s' exceed it",
                              culprit);
        break;
    case HPM_CAUSE_FACT:
        hpm_string_add_format(string,
                              "whether this machine has %s is not "
                              "known",
                              culprit);
        break;
    default:
        explain_use(value->cause, culprit, string);
        break;
    }
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

        if (parent->limits[precision].bad.is_given && own != HPM_VERDICT_BAD)
            return HPM_VERDICT_NEUTRAL;
    }
    return verdict;
}
