/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of a study, computed again from its counts. */
#ifndef HPM_STUDY_METRIC_RENEW_H
#define HPM_STUDY_METRIC_RENEW_H

#include "base/string.h"
#include "study/columns/study.h"

/* Give every record the metrics that its counts have now, as the definitions
 * for its task's processor say (`pmu` instead, unless NULL): what a combination
 * completed is there, what is left of a composition is marked partial, a
 * counter of a metric's name is preferred.  In a difference each side's metric
 * is computed, and then the difference of both.  Recorded metrics that cannot
 * be computed have the state "recorded".
 *
 * Recorded metrics that a mean, an integration or a difference has no value of,
 * because they cannot be computed, are named in a problem of its first task.
 *
 * What is wrong with definitions is appended to `complaints`, a line each.
 * False when there is no memory. */
bool hpm_renew(struct hpm_study *study, const char *pmu,
               struct hpm_string *complaints, struct hpm_error *err);

#endif
