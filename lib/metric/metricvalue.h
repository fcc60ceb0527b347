/* SPDX-License-Identifier: BSD-3-Clause
 * One value of a metric: where it came from, how exact it is, and why there is
 * none. */
#ifndef HPM_METRIC_METRICVALUE_H
#define HPM_METRIC_METRICVALUE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"
#include "metric/metrics.h"
#include "metric/tally.h"

/* Where a value came from. */
enum hpm_way {
    HPM_WAY_COUNTER,  /* the counter of the metric's name */
    HPM_WAY_MEASURED, /* another counter, or metric */
    HPM_WAY_COMPUTED, /* a formula */
    HPM_WAY_COMPOSED, /* the sum of the parts */
    HPM_WAY_INFERRED  /* the rest that the other parts leave */
};

struct hpm_metric_value {
    bool is_present; /* false: it needs a count that was not asked for; not
                      * shown */
    bool is_partial; /* a sum that lacks some parts: "~" */
    bool is_exact;   /* `value` is `exact`, rounded to a double */
    enum hpm_way way;
    size_t rule; /* the rule that gave it, or HPM_NO_RULE */
    enum hpm_state state;
    double value;    /* without the scale; NAN: n/a */
    hpm_exact exact; /* the number itself, if is_exact */
    double error;
    double coarse;                /* an error like `error`: because inputs are
                                   * counted coarsely, or are few */
    bool is_events;               /* as in a tally */
    double one;                   /* by how much one event more would change
                                   * it */
    bool is_usage;                /* from getrusage, alone or added up */
    enum hpm_doubt doubt;         /* from its inputs; see hpm_metrics_doubt */
    enum hpm_privilege privilege; /* of its counters */
    const struct hpm_runs *runs;  /* as in a tally: the runs that counted all
                                   * inputs */
    double spread;                /* as in a tally: how far it may be off
                                   * because its inputs are of different runs */
    bool combines_means;          /* its inputs are means over different sets of
                                   * runs */
    enum hpm_cause cause;         /* why it is not present, or n/a */
    const char *culprit;          /* a name, or NULL */
};

/* A value that was not asked for, because the culprit was not counted. */
struct hpm_metric_value hpm_metric_value_absent(enum hpm_cause cause,
                                                const char *culprit);

/* A value that is n/a. */
struct hpm_metric_value hpm_metric_value_lacking(enum hpm_state state,
                                                 enum hpm_cause cause,
                                                 const char *culprit);

/* The value of a number in a definition.  `long_exact` has the digits of a
 * whole number for which a double may have too few; else it is NULL. */
struct hpm_metric_value hpm_metric_value_of_number(double number,
                                                   const hpm_exact *long_exact);

/* The value of a count of that name. */
struct hpm_metric_value hpm_metric_value_of_count(const struct hpm_tally *count,
                                                  const char *name);

/* By how much a double may be off when it holds a whole number of that
 * amount. */
double hpm_metric_value_digits_lost(double amount);

static inline bool
hpm_metric_value_is_there(const struct hpm_metric_value *value)
{
    return value->is_present && !isnan(value->value);
}

static inline bool
hpm_metric_value_is_complete(const struct hpm_metric_value *value)
{
    return hpm_metric_value_is_there(value) && !value->is_partial;
}

/* If the value, as shown, is a whole number with more digits than a double has,
 * append all digits; else append nothing. */
bool hpm_metric_value_add_exact(struct hpm_string *string,
                                const struct hpm_metric_value *value,
                                double scale);

/* Append why the value is not there, one sentence: "needs 'PM_CYC', which was
 * not counted".  Nothing if the value is there. */
void hpm_metric_value_explain(const struct hpm_metric_value *value,
                              struct hpm_string *string);

#endif
