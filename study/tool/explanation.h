/* SPDX-License-Identifier: BSD-3-Clause
 * The explanation of a metric, for readers who do not know it. */
#ifndef HPM_STUDY_TOOL_EXPLANATION_H
#define HPM_STUDY_TOOL_EXPLANATION_H

#include <stdbool.h>

#include "base/string.h"
#include "metric/request.h"

/* Append all that is known of one metric: what it means, how it is computed, in
 * names and in words, its unit and range, its limits and their sources, what
 * raises and lowers it, its place among other metrics, whether and with which
 * events it can be measured here; what to do where it is bad; and the metrics
 * it is made of. */
void hpm_explanation_add(struct hpm_string *string, struct hpm_request *request,
                         size_t metric);

/* The same for a set: its members with their labels. */
void hpm_explanation_add_set(struct hpm_string *string,
                             struct hpm_request *request,
                             const struct hpm_metric_set *set);

/* The same for a constant of the definitions, and for an event used by
 * metrics. */
void hpm_explanation_add_constant(struct hpm_string *string,
                                  const struct hpm_metrics *metrics,
                                  const char *name);
void hpm_explanation_add_event(struct hpm_string *string,
                               struct hpm_request *request, const char *name);

/* Does this name have a value without being counted: time::wall, IncSec,
 * ExcSec, Count, cpu::mhz, cpu::count, cpu::allowed? */
bool hpm_explanation_is_given(const char *name);

/* The same for such a name. */
void hpm_explanation_add_given(struct hpm_string *string,
                               const struct hpm_metrics *metrics,
                               const char *name);

/* Append the meaning of marks and states of values. */
void hpm_explanation_add_legend(struct hpm_string *string);

#endif
