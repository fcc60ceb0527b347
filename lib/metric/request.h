/* SPDX-License-Identifier: BSD-3-Clause
 * From metrics that are wanted to the events that must be counted. */
#ifndef HPM_METRIC_REQUEST_H
#define HPM_METRIC_REQUEST_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"
#include "metric/metrics.h"

/* What a machine says about an event. */
enum hpm_countable {
    HPM_COUNTABLE_UNASKED,
    HPM_COUNTABLE_NO,
    HPM_COUNTABLE_YES,
    HPM_COUNTABLE_FREE /* is there without being counted: time::wall */
};

/* Can this event be counted here?  Asked at most once per name. */
typedef enum hpm_countable hpm_request_ask(const char *event, void *context);

/* Append why this event cannot be counted, ": " in front; nothing where there
 * is no more to say. */
typedef void hpm_request_tell(struct hpm_string *string, const char *event,
                              void *context);

/* How much of a metric can be measured. */
enum hpm_feasible {
    HPM_FEASIBLE_UNKNOWN,
    HPM_FEASIBLE_NO,
    HPM_FEASIBLE_PART, /* of a composition some parts */
    HPM_FEASIBLE_ALL
};

struct hpm_request {
    const struct hpm_metrics *metrics;
    hpm_request_ask *ask;
    hpm_request_tell *tell; /* NULL: nobody can; may be set at any time */
    void *context;
    const char *place; /* "on skx"; NULL: here; may be set at any time */
    enum hpm_countable *countable; /* per leaf, as far as asked */
    enum hpm_feasible *feasible;   /* per metric, as far as asked */
    size_t *best;                  /* per metric: the rule to measure it by */
    bool *is_wanted;               /* per leaf: must be counted */
    bool *is_chosen;               /* per metric: was asked for */
    size_t depth;                  /* definitions being asked about in turn */
    size_t too_deep;               /* where that went no deeper: a metric */
    size_t *needed;                /* metrics whose events are being wanted */
    size_t n_needed;
    bool *is_needed; /* per metric: it is among them */
};

/* Nothing wanted yet; false when memory runs out. */
bool hpm_request_init(struct hpm_request *request,
                      const struct hpm_metrics *metrics, hpm_request_ask *ask,
                      void *context, struct hpm_error *err);

void hpm_request_clear(struct hpm_request *request);

/* Can the metric be measured here? */
enum hpm_feasible hpm_request_ask_metric(struct hpm_request *request,
                                         size_t metric);

/* Can this metric or event be? */
enum hpm_feasible hpm_request_ask_input(struct hpm_request *request,
                                        struct hpm_input input);

/* Want nothing any more; what was asked stays known. */
void hpm_request_forget(struct hpm_request *request);

/* Want a metric, and with it the events of the best way to it, as far as they
 * can be counted. */
void hpm_request_add_metric(struct hpm_request *request, size_t metric);

/* Want every metric that can be measured entirely, in the order of their
 * definitions, while the events are at most so many. */
void hpm_request_add_all(struct hpm_request *request, size_t n_events);

/* Want what a list names, with commas between: metrics, sets, or "all".  False
 * for a name that is none, with the nearest one. */
bool hpm_request_add_list(struct hpm_request *request, const char *list,
                          size_t n_events, struct hpm_error *err);

/* Want a set: its events and its metrics. */
void hpm_request_add_set(struct hpm_request *request,
                         const struct hpm_metric_set *set);

/* Append the events wanted so far, with commas between them, but those the list
 * names already, however they are spelled. */
void hpm_request_add_events(const struct hpm_request *request,
                            struct hpm_string *string);

/* Append the first event that stands in a metric's way: "'PM_CYC', which cannot
 * be counted here", and why as far as that can be told; nothing for a metric
 * that can be measured. */
void hpm_request_explain(struct hpm_request *request, size_t metric,
                         struct hpm_string *string);

#endif
