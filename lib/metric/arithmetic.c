/* SPDX-License-Identifier: BSD-3-Clause
 * Calculating with values of metrics: the number, and how far off it may be. */
#include "metric/arithmetic.h"

#include <float.h>
#include <math.h>

/* The same limit as in hpm integrate, which names runs and metrics. */
static const double most_spread = 0.05;

static double
larger(double a, double b)
{
    return a > b ? a : b;
}

/* The result of inputs that count different domains. */
static struct hpm_metric_value
mixed(void)
{
    return hpm_metric_value_lacking(HPM_STATE_UNDEFINED, HPM_CAUSE_DOMAIN,
                                    NULL);
}

static bool
is_mixed(const struct hpm_metric_value *a, const struct hpm_metric_value *b)
{
    return a->privilege != HPM_PRIVILEGE_ANY &&
           b->privilege != HPM_PRIVILEGE_ANY && a->privilege != b->privilege;
}

static enum hpm_doubt
worse_doubt(enum hpm_doubt a, enum hpm_doubt b)
{
    return a > b ? a : b;
}

/* Keep only the runs that counted both inputs; without any, the value is of no
 * run. */
static void
share_runs(struct hpm_metric_value *value, const struct hpm_runs *other)
{
    const struct hpm_runs *own = value->runs;

    value->runs = hpm_runs_of_both(own, other);
    if (own == NULL || other == NULL)
        return;
    value->combines_means |= own != other;
    if (value->runs->is_none)
        value->doubt = worse_doubt(value->doubt, HPM_DOUBT_RUNS);
}

/* The value combines means over different sets of runs.  That is sound only if
 * all runs are near their mean: then each run's own value is near this one,
 * too. */
void
hpm_arithmetic_doubt_means(struct hpm_metric_value *value)
{
    if (value->combines_means &&
        value->spread > most_spread * fabs(value->value))
        value->doubt = worse_doubt(value->doubt, HPM_DOUBT_MEANS);
}

/* `culprit` names the count or metric an operand is, and is NULL for a
 * result. */
static struct hpm_metric_value
divide(struct hpm_metric_value a, struct hpm_metric_value b)
{
    if (b.value == 0.0)
        return hpm_metric_value_lacking(HPM_STATE_UNDEFINED, HPM_CAUSE_ZERO,
                                        b.culprit);
    if (fabs(b.value) <= b.error)
        return hpm_metric_value_lacking(HPM_STATE_UNDEFINED, HPM_CAUSE_ERROR,
                                        b.culprit);
    if (b.error > fabs(b.value) / 10 || b.coarse > fabs(b.value) / 10)
        a.doubt = worse_doubt(a.doubt, HPM_DOUBT_FEW);
    if (a.is_events && a.value == 0.0)
        a.coarse = larger(a.coarse, a.one); /* so short a time may have had no
                                             * event by chance */
    a.one = 0.0; /* one event more is now part of a.coarse, if it matters */
    a.coarse = (a.coarse + fabs(a.value / b.value) * b.coarse) / fabs(b.value);
    a.error = (a.error + fabs(a.value / b.value) * b.error) / fabs(b.value);
    a.spread = (a.spread + fabs(a.value / b.value) * b.spread) / fabs(b.value);
    a.value /= b.value;
    return a;
}

/* From here on only the double counts. */
static void
become_inexact(struct hpm_metric_value *value)
{
    if (value->is_exact && value->is_events)
        value->coarse += hpm_metric_value_digits_lost(fabs(value->value));
    value->is_exact = false;
}

/* A result is exact only if both operands are. */
static void
lose_exactness(struct hpm_metric_value *a, struct hpm_metric_value *b)
{
    if (a->is_exact && b->is_exact)
        return;
    become_inexact(a);
    become_inexact(b);
}

/* If both numbers are exact, calculate the exact result.  If it is too large,
 * only the double is kept. */
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

/* getrusage gives one tick too much to one of its two times and one too little
 * to the other: their sum is exact. */
static double
add_coarseness(const struct hpm_metric_value *a,
               const struct hpm_metric_value *b)
{
    bool are_times =
        a->is_usage && b->is_usage && !a->is_events && !b->is_events;

    return are_times ? fabs(a->coarse - b->coarse) : a->coarse + b->coarse;
}

/* True if the result is a new number, and not one of the operands. */
static bool
is_calculated(enum hpm_op_kind kind)
{
    return kind == HPM_OP_ADD || kind == HPM_OP_SUBTRACT ||
           kind == HPM_OP_MULTIPLY || kind == HPM_OP_DIVIDE;
}

/* If the two are nearer to each other than their errors, the result may be
 * wrong. */
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

/* Calculate the number, and how far off it may be. */
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

struct hpm_metric_value
hpm_arithmetic_combine(enum hpm_op_kind kind, struct hpm_metric_value a,
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
    a.value += 0.0; /* no -0 */
    if (isfinite(a.value))
        return a;
    return hpm_metric_value_lacking(HPM_STATE_UNDEFINED, HPM_CAUSE_OVERFLOW,
                                    NULL);
}

struct hpm_metric_value
hpm_arithmetic_negate(struct hpm_metric_value value)
{
    value.value = 0.0 - value.value; /* no -0 */
    value.is_exact =
        value.is_exact &&
        !__builtin_sub_overflow((hpm_exact)0, value.exact, &value.exact);
    return value;
}

struct hpm_metric_value
hpm_arithmetic_no_parts(void)
{
    return (struct hpm_metric_value){.is_present = true,
                                     .is_events = true,
                                     .is_usage = true,
                                     .is_exact = true};
}

bool
hpm_arithmetic_add_part(struct hpm_metric_value *sum,
                        struct hpm_metric_value part, bool is_first)
{
    if (is_mixed(sum, &part)) {
        *sum = mixed();
        return false;
    }
    if (part.privilege != HPM_PRIVILEGE_ANY)
        sum->privilege = part.privilege;
    lose_exactness(sum, &part);
    sum->value += part.value;
    calculate_exactly(HPM_OP_ADD, sum, &part);
    sum->error += part.error;
    sum->is_partial |= part.is_partial;
    sum->coarse = is_first ? part.coarse : add_coarseness(sum, &part);
    sum->one = larger(sum->one, part.one);
    sum->doubt = worse_doubt(sum->doubt, part.doubt);
    sum->spread += part.spread;
    sum->combines_means |= part.combines_means;
    share_runs(sum, part.runs);
    sum->is_events &= part.is_events;
    sum->is_usage &= part.is_usage;
    if (part.state > sum->state)
        sum->state = part.state;
    return true;
}
