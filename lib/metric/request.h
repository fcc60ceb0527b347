/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the events to count for the metrics the user wants. */
#ifndef HPM_METRIC_REQUEST_H
#define HPM_METRIC_REQUEST_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"
#include "metric/metrics.h"

/* The machine's answer about an event. */
enum hpm_countable {
    HPM_COUNTABLE_UNASKED,
    HPM_COUNTABLE_NO,
    HPM_COUNTABLE_YES,
    HPM_COUNTABLE_FREE /* known without being counted: time::wall */
};

/* Can this event be counted here?  Called at most once per name. */
typedef enum hpm_countable hpm_request_ask(const char *event, void *context);

/* Append why this event cannot be counted, with ": " in front; nothing if there
 * is nothing more to say. */
typedef void hpm_request_tell(struct hpm_string *string, const char *event,
                              void *context);

/* How much of a metric can be measured. */
enum hpm_feasible {
    HPM_FEASIBLE_UNKNOWN,
    HPM_FEASIBLE_NO,
    HPM_FEASIBLE_PART, /* some parts of a composition */
    HPM_FEASIBLE_ALL
};

struct hpm_request {
    const struct hpm_metrics *metrics;
    hpm_request_ask *ask;
    hpm_request_tell *tell; /* may be NULL, and set at any time */
    void *context;
    const char *place; /* "on skx"; NULL: here; may be set at any time */
    enum hpm_countable *countable; /* per leaf, if asked */
    enum hpm_feasible *feasible;   /* per metric, if asked */
    size_t *best;                  /* per metric: the rule to measure it by */
    bool *is_wanted;               /* per leaf: must be counted */
    bool *is_chosen;               /* per metric: the user asked for it */
    size_t depth;                  /* of the nested questions now */
    size_t too_deep;               /* the metric at which the questions
                                    * stopped */
    size_t *needed;                /* metrics whose events are to be counted */
    size_t n_needed;
    bool *is_needed; /* per metric: it is in `needed` */
};

/* Begin with nothing wanted; false when memory runs out. */
bool hpm_request_init(struct hpm_request *request,
                      const struct hpm_metrics *metrics, hpm_request_ask *ask,
                      void *context, struct hpm_error *err);

void hpm_request_clear(struct hpm_request *request);

/* Can the metric be measured here? */
enum hpm_feasible hpm_request_ask_metric(struct hpm_request *request,
                                         size_t metric);

/* Can this metric or event be measured here? */
enum hpm_feasible hpm_request_ask_input(struct hpm_request *request,
                                        struct hpm_input input);

/* Want nothing any more; answers of the machine are kept. */
void hpm_request_forget(struct hpm_request *request);

/* Want a metric: the events of the best way to measure it that can be
 * counted. */
void hpm_request_add_metric(struct hpm_request *request, size_t metric);

/* Want every metric that can be measured completely, in the order of the
 * definitions, as long as there are at most `n_events` events. */
void hpm_request_add_all(struct hpm_request *request, size_t n_events);

/* Want the names of a list, with commas between them: metrics, sets, or "all".
 * False for an unknown name; the error tells the nearest known one. */
bool hpm_request_add_list(struct hpm_request *request, const char *list,
                          size_t n_events, struct hpm_error *err);

/* Want a set: its events and its metrics. */
void hpm_request_add_set(struct hpm_request *request,
                         const struct hpm_metric_set *set);

/* Append the wanted events, with commas between them, without those that
 * `string` names already in any spelling. */
void hpm_request_add_events(const struct hpm_request *request,
                            struct hpm_string *string);

/* Append the first event that keeps a metric from being measured: "'PM_CYC',
 * which cannot be counted here", and why, if known; nothing for a metric that
 * can be measured. */
void hpm_request_explain(struct hpm_request *request, size_t metric,
                         struct hpm_string *string);

#endif
