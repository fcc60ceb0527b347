/* SPDX-License-Identifier: BSD-3-Clause
 * Counts that metrics are made of, and their sums. */
#ifndef HPM_METRIC_TALLY_H
#define HPM_METRIC_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/state.h"
#include "metric/language/threshold.h"
#include "metric/privilege.h"

/* Why a metric has no value, or a count is of no use to one. */
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
    HPM_CAUSE_IF,       /* a guard wants the culprit of the machine */
    HPM_CAUSE_IF_NO,    /* a guard wants a machine without the culprit */
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

/* The runs that counted both, of which either may be NULL. */
const struct hpm_runs *hpm_runs_of_both(const struct hpm_runs *a,
                                        const struct hpm_runs *b);

/* What is made of counts alone is exact as far as this reaches; beyond, and
 * beside anything else, numbers are doubles. */
typedef __int128 hpm_exact __attribute__((aligned(8)));

/* The count of one leaf.  Times are in seconds, memory in bytes,
 * energy in joules. */
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
 * did meanwhile, so that several have no sum.  Those of the node do, too. */
bool hpm_tally_is_of_process(const char *counter);

/* Does a counter belong to the node, so that tasks there have no sum, either? */
bool hpm_tally_is_of_node(const char *counter);

/* Why values of a counter that belongs to the process or the node have no sum. */
const char *hpm_tally_same(const char *counter);

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

#endif
