/* SPDX-License-Identifier: BSD-3-Clause
 * Binds metrics to an experiment: which counter gives which leaf's count. */
#ifndef HPM_METRIC_BINDING_H
#define HPM_METRIC_BINDING_H

#include <stdbool.h>

#include "metric/evaluate.h"
#include "metric/metrics.h"
#include "model/experiment.h"

/* Where a leaf's count comes from. */
enum hpm_origin {
    HPM_ORIGIN_NONE,
    HPM_ORIGIN_COUNTER,  /* a counter of the experiment */
    HPM_ORIGIN_RESOURCE, /* a resource of the whole run */
    HPM_ORIGIN_WALL,     /* time::wall: the record's time */
    HPM_ORIGIN_CALLS,    /* Count: the record's calls */
    HPM_ORIGIN_MHZ,      /* cpu::mhz: the machine's nominal clock */
    HPM_ORIGIN_CPUS,     /* cpu::count: processors online */
    HPM_ORIGIN_ROOF,     /* roof::...: see metric/roof.h */
    HPM_ORIGIN_ALLOWED   /* cpu::allowed: processors it may use; not in thread
                          * scope, for a thread can use only one */
};

struct hpm_binding {
    const struct hpm_metrics *metrics;
    const struct hpm_experiment *experiment;
    struct {
        enum hpm_origin origin;
        size_t index; /* of the counter or resource */
        enum hpm_privilege privilege;
        bool is_refused; /* its counter counts another domain */
    } * origins;         /* per leaf */
    bool begins_late;    /* see hpm_binding_begin_late */
    bool is_whole_run;   /* the records are of the whole run */
    bool has_wrong;      /* the machine's facts name a wrong count */
};

/* The machine's description for guards and arch.  The result borrows from
 * `machine`. */
struct hpm_platform hpm_platform_of(const struct hpm_machine *machine);

/* Find each leaf's count by the event's name in any spelling.  Of several
 * counters, one that counts the leaf's domain is taken (metric/privilege.h);
 * without one the count is refused.  The run's resources (getrusage) are used
 * only if `is_whole_run`: the records are of the whole run, not of sections,
 * for which ru::maxrss is only an increase.  `metrics` and `experiment` must
 * outlive the binding. */
bool hpm_binding_init(struct hpm_binding *binding,
                      const struct hpm_metrics *metrics,
                      const struct hpm_experiment *experiment,
                      bool is_whole_run, struct hpm_error *err);

/* Say that the counts begin later than the run (hpmcount --delay).  Then
 * resource usage, which is of the whole run, is used for no metric, and
 * time::wall of all records together is the records' own time, not the
 * run's. */
void hpm_binding_begin_late(struct hpm_binding *binding);

/* The origin of an event that is known without being counted: time::wall,
 * Count, cpu::mhz, cpu::count, cpu::allowed, roof::... HPM_ORIGIN_NONE for any
 * other event. */
enum hpm_origin hpm_binding_free_origin(const char *event);

/* Is the event known without being counted? */
bool hpm_binding_is_free(const char *event);

void hpm_binding_clear(struct hpm_binding *binding);

enum hpm_span { HPM_SPAN_INCLUSIVE, HPM_SPAN_EXCLUSIVE };

/* The counts of all leaves in one record, with or without the sections inside
 * it.  Times in seconds, memory in bytes, energy in joules. */
void hpm_binding_count(const struct hpm_binding *binding, size_t record,
                       enum hpm_span span, struct hpm_tally *ret_counts);

/* The counts of all records of a scope together, each event counted once;
 * time::wall is the run's time. */
void hpm_binding_count_all(const struct hpm_binding *binding,
                           enum hpm_scope scope, struct hpm_tally *ret_counts);

#endif
