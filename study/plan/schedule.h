/* SPDX-License-Identifier: BSD-3-Clause
 * From the metrics that are wanted to the runs that measure them: each run
 * counts a set of events that the counters can hold at once. */
#ifndef HPM_STUDY_PLAN_SCHEDULE_H
#define HPM_STUDY_PLAN_SCHEDULE_H

#include "base/string.h"
#include "metric/request.h"
#include "study/plan/packing.h"

/* Can the counters hold these events at once?  Where they can, they can hold a
 * part of them as well. */
typedef bool hpm_schedule_fits(const char *const *events, size_t n_events,
                               void *context);

/* Something that is wanted, with the events its value is worked out from. */
struct hpm_planned {
    size_t metric; /* HPM_NO_METRIC: an event without a metric */
    struct hpm_eventmask events;
    bool is_ratio; /* its events may be apart, rather than take a run more */
};

struct hpm_schedule {
    const struct hpm_metrics *metrics;
    const char **events; /* names, by the numbers in masks */
    size_t n_events, events_capacity;
    struct hpm_planned *planned;
    size_t n_planned, planned_capacity;
    struct hpm_packing packing; /* its closures are `planned` */
};

/* What is wanted. */
struct hpm_schedule_task {
    struct hpm_request *request; /* chosen metrics (hpm_request_add_list); wants
                                    no events afterwards */
    bool is_all; /* all metrics are chosen that can be measured, if in part */
    bool has_parts; /* and every part of the compositions they have */
    const char *const *events; /* and these; the names must live as long */
    size_t n_events;
    hpm_schedule_fits *fits;
    void *context;
};

/* Plan it.  What a metric is computed from is planned too: the inputs of a
 * formula whose events do not fit into one run.  False when memory runs out, or
 * for more than HPM_MAX_PLAN_EVENTS events. */
bool hpm_schedule_make(struct hpm_schedule *schedule,
                       const struct hpm_schedule_task *task,
                       struct hpm_error *err);
void hpm_schedule_clear(struct hpm_schedule *schedule);

/* Append the names of the events of a mask, with commas between them, as
 * hpmcount -e and HPM_EVENTS expect them. */
void hpm_schedule_add_events(const struct hpm_schedule *schedule,
                             const struct hpm_eventmask *events,
                             struct hpm_string *string);

#endif
