/* SPDX-License-Identifier: BSD-3-Clause
 * What a metric is, for a reader who knows none of it. */
#ifndef HPM_STUDY_TOOL_EXPLANATION_H
#define HPM_STUDY_TOOL_EXPLANATION_H

#include <stdbool.h>

#include "base/string.h"
#include "metric/request.h"

/* Append all that is known of one metric: what it means, how it is worked out,
 * in names and in words, its unit and range, its limits and where they come
 * from, what raises and lowers it, its place among others, whether and by which
 * events it can be measured here; what to do where it is bad; and what it is
 * made of. */
void hpm_explanation_add(struct hpm_string *string, struct hpm_request *request,
                         size_t metric);

/* The same of a set: its members and what each is. */
void hpm_explanation_add_set(struct hpm_string *string,
                             struct hpm_request *request,
                             const struct hpm_metric_set *set);

/* The same of a constant of the definitions, and of an event that metrics are
 * made of. */
void hpm_explanation_add_constant(struct hpm_string *string,
                                  const struct hpm_metrics *metrics,
                                  const char *name);
void hpm_explanation_add_event(struct hpm_string *string,
                               struct hpm_request *request, const char *name);

/* Has this name a value without being counted: time::wall, IncSec, ExcSec, Count,
 * cpu::mhz, cpu::count, cpu::allowed? */
bool hpm_explanation_is_given(const char *name);

/* The same of such a name. */
void hpm_explanation_add_given(struct hpm_string *string,
                               const struct hpm_metrics *metrics,
                               const char *name);

/* Append what marks and states of values mean. */
void hpm_explanation_add_legend(struct hpm_string *string);

#endif
