/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics of a study, computed again from its counts. */
#ifndef HPM_STUDY_METRIC_RENEW_H
#define HPM_STUDY_METRIC_RENEW_H

#include "base/string.h"
#include "study/columns/study.h"

/* Give every record the metrics that its counts allow now, by the definitions
 * for its task's processor (or for `pmu`, unless NULL): metrics that a
 * combination of counts made possible are added, the rest of a composition is
 * marked partial, and a counter with a metric's name is preferred.  In a
 * difference each side's metric is computed, and then their difference.
 * Recorded metrics that cannot be computed have the state "recorded".
 *
 * Recorded metrics that have no value in a mean, an integration or a
 * difference, because they cannot be computed, are named in a problem of its
 * first task.
 *
 * Problems of definitions are appended to `complaints`, a line each.  False
 * when there is no memory. */
bool hpm_renew(struct hpm_study *study, const char *pmu,
               struct hpm_string *complaints, struct hpm_error *err);

#endif
