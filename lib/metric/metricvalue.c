/* SPDX-License-Identifier: BSD-3-Clause
 * One value of a metric. */
#include "metric/metricvalue.h"

#include <float.h>
#include <string.h>

#include "base/mark.h"
#include "metric/roof.h"

struct hpm_metric_value
hpm_metric_value_absent(enum hpm_cause cause, const char *culprit)
{
    return (struct hpm_metric_value){.rule = HPM_NO_RULE,
                                     .state = HPM_STATE_UNSUPPORTED,
                                     .value = NAN,
                                     .cause = cause,
                                     .culprit = culprit};
}

struct hpm_metric_value
hpm_metric_value_lacking(enum hpm_state state, enum hpm_cause cause,
                         const char *culprit)
{
    struct hpm_metric_value value = hpm_metric_value_absent(cause, culprit);

    value.is_present = true;
    value.state = state;
    return value;
}

/* 2^53: doubles can hold all whole numbers up to here. */
static const double most_whole = 9007199254740992.0;

struct hpm_metric_value
hpm_metric_value_of_number(double number, const hpm_exact *long_exact)
{
    struct hpm_metric_value value = {.is_present = true, .value = number};

    if (long_exact != NULL) {
        value.is_exact = true;
        value.exact = *long_exact;
    } else if (fabs(number) < most_whole && number == (double)(int64_t)number) {
        value.is_exact = true;
        value.exact = (int64_t)number;
    }
    return value;
}

static struct hpm_metric_value
refused_value(const struct hpm_tally *count)
{
    struct hpm_metric_value value = hpm_metric_value_lacking(
        HPM_STATE_UNSUPPORTED, HPM_CAUSE_DOMAIN, count->refused);

    value.privilege = count->privilege;
    return value;
}

double
hpm_metric_value_digits_lost(double amount)
{
    return amount >= most_whole ? amount * DBL_EPSILON : 0.0;
}

/* How far off a count may be: by the kernel's ticks; by chance if there are few
 * events (n is n give or take its square root); by rounding if there are more
 * events than a double has digits for. */
static double
coarseness(const struct hpm_tally *count)
{
    double amount = fabs(count->value);
    bool is_few = count->is_events && amount < HPM_FEW_EVENTS;

    return count->resolution + (is_few ? sqrt(amount) : 0.0) +
           (count->is_events && !count->is_exact
                ? hpm_metric_value_digits_lost(amount)
                : 0.0);
}

struct hpm_metric_value
hpm_metric_value_of_count(const struct hpm_tally *count, const char *name)
{
    if (!count->is_present)
        return hpm_metric_value_absent(HPM_CAUSE_MISSING, name);
    if (count->refused != NULL)
        return refused_value(count);
    if (count->cause != HPM_CAUSE_NONE && hpm_state_has_value(count->state))
        return hpm_metric_value_lacking(HPM_STATE_UNSUPPORTED, count->cause,
                                        name);
    if (count->is_partial && hpm_state_has_value(count->state))
        return hpm_metric_value_lacking(HPM_STATE_UNSUPPORTED,
                                        HPM_CAUSE_PARTIAL, name);
    if (!hpm_state_has_value(count->state) || isnan(count->value))
        return hpm_metric_value_lacking(count->state, HPM_CAUSE_STATE, name);
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

static void
explain_domain(const struct hpm_metric_value *value, struct hpm_string *string)
{
    static const char *const domains[] = {
        [HPM_PRIVILEGE_ANY] = N_("another domain"),
        [HPM_PRIVILEGE_USER] = N_("user code only"),
        [HPM_PRIVILEGE_KERNEL] = N_("the kernel only"),
        [HPM_PRIVILEGE_ALL] = N_("user code and the kernel")};

    if (value->culprit == NULL)
        hpm_string_add(string, N_("its counters count different domains"));
    else
        hpm_string_add_format(string, N_("'%s' counts %s"), value->culprit,
                              domains[value->privilege]);
}

/* Explain why the culprit, which has a value, cannot be used here. */
static void
explain_use(enum hpm_cause cause, const char *culprit,
            struct hpm_string *string)
{
    static const char *const texts[] = {
        [HPM_CAUSE_RUNS] = "', of which some of the runs have no value",
        [HPM_CAUSE_TWICE] = "', the sum of which may have twice what forked "
                            "processes did",
        [HPM_CAUSE_PEAK] = "' of the whole run: of a section it is only by how "
                           "much the maximum grew there"};

    if (cause == HPM_CAUSE_PROCESS)
        hpm_string_add_format(string, "needs '%s', which %s", culprit,
                              hpm_tally_same(culprit));
    else
        hpm_string_add_format(string, "needs '%s%s", culprit, texts[cause]);
}

static void
explain_state(enum hpm_state state, const char *culprit,
              struct hpm_string *string)
{
    if (hpm_roof_is_name(culprit))
        hpm_string_add_format(string, N_("needs '%s': %s"), culprit,
                              hpm_roof_remedy);
    else
        hpm_string_add_format(string, N_("needs '%s', which is %s"), culprit,
                              hpm_state_name(state));
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
        hpm_string_add_format(string, N_("needs '%s', which was not counted"),
                              culprit);
        break;
    case HPM_CAUSE_STATE:
        explain_state(value->state, culprit, string);
        break;
    case HPM_CAUSE_PARTIAL:
        hpm_string_add_format(string,
                              N_("needs '%s', parts of which were not "
                                 "counted"),
                              culprit);
        break;
    case HPM_CAUSE_ZERO:
        hpm_string_add_format(
            string, is_named ? N_("'%s' is 0") : N_("division by 0%s"),
            culprit);
        break;
    case HPM_CAUSE_ERROR:
        hpm_string_add_format(string,
                              is_named ? N_("'%s' is not above its measuring "
                                            "error")
                                       : N_("division by a number that is not "
                                            "above its measuring error%s"),
                              culprit);
        break;
    case HPM_CAUSE_OVERFLOW:
        hpm_string_add(string, N_("the result is too large"));
        break;
    case HPM_CAUSE_DOMAIN:
        explain_domain(value, string);
        break;
    case HPM_CAUSE_EXCESS:
        hpm_string_add_format(string, N_("the other parts of '%s' exceed it"),
                              culprit);
        break;
    case HPM_CAUSE_FACT:
        hpm_string_add_format(string,
                              N_("whether this machine has %s is not "
                                 "known"),
                              culprit);
        break;
    case HPM_CAUSE_IF:
    case HPM_CAUSE_IF_NO:
        hpm_string_add_format(string, "needs 'if %s%s' to hold",
                              value->cause == HPM_CAUSE_IF ? "" : "no ",
                              culprit);
        break;
    default:
        explain_use(value->cause, culprit, string);
        break;
    }
}
