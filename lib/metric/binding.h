/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics and an experiment: which counter is which leaf. */
#ifndef HPM_METRIC_BINDING_H
#define HPM_METRIC_BINDING_H

#include <stdbool.h>

#include "metric/evaluate.h"
#include "metric/metrics.h"
#include "model/experiment.h"

/* Where a leaf's count comes from. */
enum hpm_origin {
    HPM_ORIGIN_NONE,
    HPM_ORIGIN_COUNTER,  /* of the experiment */
    HPM_ORIGIN_RESOURCE, /* of the run */
    HPM_ORIGIN_WALL,     /* time::wall: the record's time */
    HPM_ORIGIN_CALLS,    /* Count */
    HPM_ORIGIN_MHZ,      /* cpu::mhz: the machine's nominal clock */
    HPM_ORIGIN_CPUS,     /* cpu::count: processors online */
    HPM_ORIGIN_ROOF,     /* roof::...: see metric/roof.h */
    HPM_ORIGIN_ALLOWED   /* cpu::allowed: those of them it may use; not in
                          * thread scope, for a thread can use but one */
};

struct hpm_binding {
    const struct hpm_metrics *metrics;
    const struct hpm_experiment *experiment;
    struct {
        enum hpm_origin origin;
        size_t index; /* of the counter or resource */
        enum hpm_privilege privilege;
        bool is_refused; /* the counter is of another domain */
    } * origins;         /* per leaf */
    bool begins_late;    /* see hpm_binding_begin_late */
    bool is_whole_run;   /* the records are of it */
};

/* A machine as guards and arch ask for it.  The result borrows from it. */
struct hpm_platform hpm_platform_of(const struct hpm_machine *machine);

/* Find each leaf's count by the event's name, however it is spelled; of several
 * counters one of the leaf's domain (metric/privilege.h), else the count is
 * refused.  The
 * run's resources (getrusage) serve only where `is_whole_run`: the records are
 * of the whole run, not of sections, which of ru::maxrss have only how much it
 * grew.  Both must outlive the binding. */
bool hpm_binding_init(struct hpm_binding *binding,
                      const struct hpm_metrics *metrics,
                      const struct hpm_experiment *experiment,
                      bool is_whole_run, struct hpm_error *err);

/* The counts begin later than the run (hpmcount --delay): resource usage, which
 * is that of the whole run, counts for no metric, and time::wall of all records
 * is theirs. */
void hpm_binding_begin_late(struct hpm_binding *binding);

/* Where the count of an event comes from that is there without being counted:
 * time::wall, Count, cpu::mhz, cpu::count, cpu::allowed, roof::...
 * HPM_ORIGIN_NONE of all others. */
enum hpm_origin hpm_binding_free_origin(const char *event);

/* Is it one of those? */
bool hpm_binding_is_free(const char *event);

void hpm_binding_clear(struct hpm_binding *binding);

enum hpm_span { HPM_SPAN_INCLUSIVE, HPM_SPAN_EXCLUSIVE };

/* The counts of all leaves in one record: with the sections inside it, or
 * without.  Times in seconds, memory in bytes, energy in joules. */
void hpm_binding_count(const struct hpm_binding *binding, size_t record,
                       enum hpm_span span, struct hpm_tally *ret_counts);

/* The counts of all records of a scope together, each counted once; time::wall
 * is the run's. */
void hpm_binding_count_all(const struct hpm_binding *binding,
                           enum hpm_scope scope, struct hpm_tally *ret_counts);

#endif
