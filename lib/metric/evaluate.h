/* SPDX-License-Identifier: BSD-3-Clause
 * Values of metrics from counts. */
#ifndef HPM_METRIC_EVALUATE_H
#define HPM_METRIC_EVALUATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"
#include "base/string.h"
#include "metric/metrics.h"
#include "metric/privilege.h"

/* Why a metric has no value. */
enum hpm_cause {
    HPM_CAUSE_NONE,
    HPM_CAUSE_MISSING,  /* the culprit was not counted */
    HPM_CAUSE_STATE,    /* the culprit has no value */
    HPM_CAUSE_PARTIAL,  /* parts of the culprit are missing */
    HPM_CAUSE_ZERO,     /* division by the culprit, which is 0 */
    HPM_CAUSE_ERROR,    /* ... which is not above its measuring error */
    HPM_CAUSE_OVERFLOW, /* the result is no number */
    HPM_CAUSE_DOMAIN,   /* the culprit counts another domain; without one,
                         * the inputs count several */
    HPM_CAUSE_EXCESS,   /* the other parts exceed the culprit */
    HPM_CAUSE_FACT,     /* whether the machine has the culprit is not known */
    HPM_CAUSE_RUNS,     /* some of the runs have no value of the culprit */
    HPM_CAUSE_PROCESS,  /* each thread's value of the culprit has what all
                         * threads did */
    HPM_CAUSE_TWICE,    /* the culprit may have forked processes twice */
    HPM_CAUSE_PEAK      /* the culprit is how much a maximum grew, which is not
                         * the maximum */
};

/* Some of the runs that were put together, each different choice of them once.
 * Whoever has counts of such runs makes these (study/metric/studyruns.h). */
struct hpm_runs {
    bool is_none;
    /* The runs that are in both; never NULL. */
    const struct hpm_runs *(*both)(const struct hpm_runs *a,
                                   const struct hpm_runs *b);
};

/* What is made of counts alone is exact as far as this reaches; beyond, and
 * beside anything else, numbers are doubles. */
typedef __int128 hpm_exact __attribute__((aligned(8)));

/* The count of one leaf.  Times are in seconds, memory in bytes. */
struct hpm_tally {
    bool is_present; /* false: was not to be counted */
    enum hpm_state state;
    double value;
    hpm_exact exact;   /* the count itself, where is_exact */
    double error;      /* what it may be off by, >= 0 */
    double resolution; /* how coarsely it is counted, >= 0 */
    bool is_events;    /* a number of events, not seconds or bytes */
    bool is_exact;     /* value is `exact`, as nearly as a double can be */
    enum hpm_doubt doubt;
    bool is_partial; /* a sum to which some records have nothing to add: of no
                      * use in a formula */
    enum hpm_privilege privilege;
    const char *refused;  /* the counter there is, of another domain, or NULL */
    enum hpm_cause cause; /* of being of no use in a formula, or NONE */
    bool omits_children;  /* of the process's children nothing is in it */
    uint32_t place;       /* of a counter that belongs to the process: 1 or
                     * more, where it was counted; else 0 */
    const struct hpm_runs *runs; /* of several runs put together those that
                                  * counted it; NULL: it is of no run, or of
                                  * the only one */
    double spread; /* how far those runs are from it, their mean; >= 0 */
};

/* Some counters belong to the process: each thread's value has what all of them
 * did meanwhile, so that several have no sum. */
bool hpm_tally_is_of_process(const char *counter);

#define HPM_REASON_OF_PROCESS                                                  \
    "belongs to the process: each thread's value has what all threads did "    \
    "meanwhile"

/* Is it a maximum, of which a section has only how much it grew? */
bool hpm_tally_is_peak(const char *counter);

/* A count that is there, but of another domain than the leaf's. */
struct hpm_tally hpm_tally_refuse(const char *counter,
                                  enum hpm_privilege privilege);

/* Add another count of the same.  `are_of_process`: the two are of threads of
 * one process, so what belongs to the process has no sum over them. */
void hpm_tally_add(struct hpm_tally *sum, const struct hpm_tally *more,
                   bool are_of_process);

/* Fewer events than these say little when something is divided by them: one
 * more or less changes the ratio by more than a hundredth, and chance by a
 * tenth. */
enum { HPM_FEW_EVENTS = 100 };

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

/* Counts and values of the whole program, which total() asks for. */
struct hpm_whole {
    const struct hpm_tally *counts;
    const struct hpm_metric_value *values;
};

/* Values of all metrics from counts of all leaves, summed over whatever they
 * are to be the values of: ratios divide sums.
 *
 * A metric has its own counter's value, else that of the first of its rules,
 * the best first, whose inputs are all there, else what is left of a
 * composition it is the one missing part of (inferred), else the sum of those
 * parts that are there (partial).  Where the inputs are there and the result is
 * undefined, it stays so: no rule of lower rank is asked, and nothing is
 * inferred.  Its state is the worst of its inputs, a partial one's that of its
 * present parts. Counters of different domains are not combined: the value is
 * n/a.
 *
 * `whole` NULL: these counts are the whole program's. */
void hpm_metrics_evaluate(const struct hpm_metrics *metrics,
                          const struct hpm_tally *counts,
                          const struct hpm_whole *whole,
                          struct hpm_metric_value *ret_values);

/* The same where only these metrics can be present, each after all its value
 * needs.  The values of all others are left as they are: as
 * hpm_metrics_evaluate made them of no counts. */
void hpm_metrics_evaluate_possible(const struct hpm_metrics *metrics,
                                   const size_t *order, size_t n,
                                   const struct hpm_tally *counts,
                                   const struct hpm_whole *whole,
                                   struct hpm_metric_value *values);

/* Is it more than a count under another name?  Then reports show it beside the
 * counts: what was worked out or can be judged. */
bool hpm_metrics_is_derived(const struct hpm_metrics *metrics, size_t metric,
                            const struct hpm_metric_value *value);

/* Is the value, as shown, a whole number that a double has not the digits for?
 * Then append it, all of it; else nothing. */
bool hpm_metric_value_add_exact(struct hpm_string *string,
                                const struct hpm_metric_value *value,
                                double scale);

/* Why the value is not there, one sentence: "needs 'PM_CYC', which was not
 * counted".  Nothing where it is there. */
void hpm_metric_value_explain(const struct hpm_metric_value *value,
                              struct hpm_string *string);

/* The verdict on a metric in one thread or process, or of one that is of the
 * run in the whole of it (metric/language/threshold.h): that of its limits, but neutral
 * where a metric above it has limits of its own and is not bad. */
enum hpm_verdict hpm_metrics_judge(const struct hpm_metrics *metrics,
                                   const struct hpm_metric_value *values,
                                   size_t metric, enum hpm_precision precision);

/* Why it has no verdict, or would have none. */
enum hpm_doubt hpm_metrics_doubt(const struct hpm_metrics *metrics,
                                 const struct hpm_metric_value *values,
                                 size_t metric);

#endif
