/* SPDX-License-Identifier: BSD-3-Clause
 * Counts that metrics are made of, and sums of counts. */
#ifndef HPM_METRIC_TALLY_H
#define HPM_METRIC_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"
#include "metric/language/threshold.h"
#include "metric/privilege.h"

/* Why a metric has no value, or cannot use a count. */
enum hpm_cause {
    HPM_CAUSE_NONE,
    HPM_CAUSE_MISSING,  /* the culprit was not counted */
    HPM_CAUSE_STATE,    /* the culprit has no value */
    HPM_CAUSE_PARTIAL,  /* parts of the culprit are missing */
    HPM_CAUSE_ZERO,     /* division by the culprit, which is 0 */
    HPM_CAUSE_ERROR,    /* division by the culprit, which is within its
                         * measuring error */
    HPM_CAUSE_OVERFLOW, /* the result is no number */
    HPM_CAUSE_DOMAIN,   /* the culprit counts another domain; without a culprit,
                         * the inputs count several */
    HPM_CAUSE_EXCESS,   /* the other parts exceed the culprit */
    HPM_CAUSE_FACT,     /* it is not known whether the machine has the
                         * culprit */
    HPM_CAUSE_IF,       /* a guard needs a machine with the culprit */
    HPM_CAUSE_IF_NO,    /* a guard needs a machine without the culprit */
    HPM_CAUSE_RUNS,     /* some of the runs have no value of the culprit */
    HPM_CAUSE_PROCESS,  /* each thread's value of the culprit has what all
                         * threads did */
    HPM_CAUSE_TWICE,    /* the culprit may count forked processes twice */
    HPM_CAUSE_PEAK      /* the culprit is by how much a maximum grew, not the
                         * maximum */
};

/* A subset of the runs that were combined; each different subset is there once.
 * Code that has counts of such runs makes these (study/metric/studyruns.h). */
struct hpm_runs {
    bool is_none;
    /* The runs in both subsets; never NULL. */
    const struct hpm_runs *(*both)(const struct hpm_runs *a,
                                   const struct hpm_runs *b);
};

/* The runs that counted both; each of the two may be NULL. */
const struct hpm_runs *hpm_runs_of_both(const struct hpm_runs *a,
                                        const struct hpm_runs *b);

/* Results of counts alone are exact as long as they fit into this type; larger
 * results, and results with other numbers, are doubles. */
typedef __int128 hpm_exact __attribute__((aligned(8)));

/* The count of one leaf.  Times in seconds, memory in bytes, energy in
 * joules. */
struct hpm_tally {
    bool is_present; /* false: it was not asked for */
    enum hpm_state state;
    double value;
    hpm_exact exact;   /* the count itself, if is_exact */
    double error;      /* it may be off by this much, >= 0 */
    double resolution; /* the step in which it is counted, >= 0 */
    bool is_events;    /* a number of events, not seconds or bytes */
    bool is_exact;     /* `value` is `exact`, rounded to a double */
    enum hpm_doubt doubt;
    bool is_partial; /* a sum that lacks the parts of some records: formulas
                      * cannot use it */
    enum hpm_privilege privilege;
    const char *refused;  /* a counter of another domain, or NULL */
    enum hpm_cause cause; /* why formulas cannot use it, or NONE */
    bool omits_children;  /* the process's children are not in it */
    uint32_t place;       /* for a counter of the whole process: where it was
                           * counted, 1 or more; else 0 */
    const struct hpm_runs *runs; /* the combined runs that counted it; NULL: no
                                  * run, or the only one */
    double spread; /* how far those runs are from their mean, >= 0 */
};

/* Does a counter count the whole process, or node?  Then each thread's value
 * has what all threads did meanwhile, and the values of several threads have no
 * sum. */
bool hpm_tally_is_of_process(const char *counter);

/* Does a counter count the whole node?  Then tasks of one node have no sum,
 * either. */
bool hpm_tally_is_of_node(const char *counter);

/* Why values of a counter of the process or node have no sum. */
const char *hpm_tally_same(const char *counter);

/* Is it a maximum?  Then a section has only by how much it grew. */
bool hpm_tally_is_peak(const char *counter);

/* The tally of a counter that counts another domain than the leaf's. */
struct hpm_tally hpm_tally_refuse(const char *counter,
                                  enum hpm_privilege privilege);

/* Add another count of the same leaf.  `are_of_process`: the two are of threads
 * of one process, so that a counter of the whole process has no sum. */
void hpm_tally_add(struct hpm_tally *sum, const struct hpm_tally *more,
                   bool are_of_process);

/* Below this, a ratio to a number of events says little: one event more or less
 * changes it by over a hundredth, and chance by a tenth. */
enum { HPM_FEW_EVENTS = 100 };

#endif
