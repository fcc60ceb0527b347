/* SPDX-License-Identifier: BSD-3-Clause
 * One value of a metric: how it was come by, how exact it is, and why there is
 * none. */
#ifndef HPM_METRIC_METRICVALUE_H
#define HPM_METRIC_METRICVALUE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"
#include "metric/metrics.h"
#include "metric/tally.h"

/* How a value was come by. */
enum hpm_way {
    HPM_WAY_COUNTER,  /* it is the counter of its name */
    HPM_WAY_MEASURED, /* it is another counter, or metric */
    HPM_WAY_COMPUTED, /* by a formula */
    HPM_WAY_COMPOSED, /* of its parts */
    HPM_WAY_INFERRED  /* what the other parts leave */
};

struct hpm_metric_value {
    bool is_present; /* false: it needs what was not counted; not shown */
    bool is_partial; /* a composition some parts of which are missing: "~" */
    bool is_exact;   /* value is `exact`, as nearly as a double can be */
    enum hpm_way way;
    size_t rule; /* that gave it, or HPM_NO_RULE */
    enum hpm_state state;
    double value;    /* without the scale; NAN: n/a */
    hpm_exact exact; /* the number itself, where is_exact */
    double error;
    double coarse;                /* the same, for how coarsely its inputs are
                                   * counted, or how few they are */
    bool is_events;               /* as in a tally */
    double one;                   /* how much it would change with one event
                                   * more */
    bool is_usage;                /* what getrusage says, alone or added up */
    enum hpm_doubt doubt;         /* of its inputs; see hpm_metrics_doubt */
    enum hpm_privilege privilege; /* of the counters it came from */
    const struct hpm_runs *runs;  /* as in a tally: that counted all inputs */
    double spread;                /* as in a tally: how far it may be off where
                                   * its inputs are of different runs */
    bool combines_means;          /* they are means over different runs */
    enum hpm_cause cause;         /* of not being present or n/a */
    const char *culprit;          /* a name, or NULL */
};

/* Nobody asked for it, for want of the culprit. */
struct hpm_metric_value hpm_metric_value_absent(enum hpm_cause cause,
                                                const char *culprit);

/* n/a. */
struct hpm_metric_value hpm_metric_value_lacking(enum hpm_state state,
                                                 enum hpm_cause cause,
                                                 const char *culprit);

/* Of a number that was written in a definition; of a whole one that a double may
 * not have the digits for, `long_exact` has them all, else it is NULL. */
struct hpm_metric_value hpm_metric_value_of_number(double number,
                                                   const hpm_exact *long_exact);

/* Of a count of that name. */
struct hpm_metric_value hpm_metric_value_of_count(const struct hpm_tally *count,
                                                  const char *name);

/* What may be wrong with a whole number of that amount in a double. */
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

/* Is the value, as shown, a whole number that a double has not the digits for?
 * Then append it, all of it; else nothing. */
bool hpm_metric_value_add_exact(struct hpm_string *string,
                                const struct hpm_metric_value *value,
                                double scale);

/* Why the value is not there, one sentence: "needs 'PM_CYC', which was not
 * counted".  Nothing where it is there. */
void hpm_metric_value_explain(const struct hpm_metric_value *value,
                              struct hpm_string *string);

#endif
