/* SPDX-License-Identifier: BSD-3-Clause
 * Planning the runs that measure some metrics: each run counts a set of events
 * that the counters can hold at once. */
#ifndef HPM_STUDY_PLAN_SCHEDULE_H
#define HPM_STUDY_PLAN_SCHEDULE_H

#include "base/string.h"
#include "metric/request.h"
#include "study/plan/packing.h"

/* Can the counters hold these events at once?  If so, they can hold any part of
 * them, too. */
typedef bool hpm_schedule_fits(const char *const *events, size_t n_events,
                               void *context);

/* A wanted metric or event, with the events needed for its value. */
struct hpm_planned {
    size_t metric; /* HPM_NO_METRIC: an event without metric */
    struct hpm_eventmask events;
    bool is_ratio; /* its events may be in different runs if this saves a run */
};

struct hpm_schedule {
    const struct hpm_metrics *metrics;
    const char **events; /* names, by number in masks */
    size_t n_events, events_capacity;
    struct hpm_planned *planned;
    size_t n_planned, planned_capacity;
    struct hpm_packing packing; /* its closures are `planned` */
};

/* The wanted metrics and events. */
struct hpm_schedule_task {
    struct hpm_request *request; /* chosen metrics (hpm_request_add_list);
                                  * afterwards it wants no events */
    bool is_all;    /* choose all metrics that can be measured, also in part */
    bool has_parts; /* and all parts of their compositions */
    const char *const *events; /* and these events; the names must live as
                                * long */
    size_t n_events;
    hpm_schedule_fits *fits;
    void *context;
};

/* Plan the runs.  Metrics that a metric is computed from are planned, too: the
 * inputs of a formula whose events do not fit into one run.  False when memory
 * runs out, or for more than HPM_MAX_PLAN_EVENTS events. */
bool hpm_schedule_make(struct hpm_schedule *schedule,
                       const struct hpm_schedule_task *task,
                       struct hpm_error *err);
void hpm_schedule_clear(struct hpm_schedule *schedule);

/* Append the names of a mask's events, separated by commas, as hpmcount -e and
 * HPM_EVENTS expect them. */
void hpm_schedule_add_events(const struct hpm_schedule *schedule,
                             const struct hpm_eventmask *events,
                             struct hpm_string *string);

#endif
