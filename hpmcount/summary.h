/* SPDX-License-Identifier: BSD-3-Clause
 * The text report of a run. */
#ifndef HPMCOUNT_SUMMARY_H
#define HPMCOUNT_SUMMARY_H

#include "base/string.h"
#include "hpmcount/look.h"
#include "metric/derived.h"
#include "model/experiment.h"

/* Append the report with the parts that look->extent names: the first screen
 * (screen.h), or its head, resource usage, counters with their states, metrics,
 * events that could not be counted, and hints. */
void summary_add_text(struct hpm_string *string,
                      const struct hpm_experiment *experiment,
                      struct hpm_derived *derived, const struct look *look);

#endif
