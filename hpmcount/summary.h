/* SPDX-License-Identifier: BSD-3-Clause
 * The text report of a run. */
#ifndef HPMCOUNT_SUMMARY_H
#define HPMCOUNT_SUMMARY_H

#include "base/string.h"
#include "metric/derived.h"
#include "model/experiment.h"
#include "study/report/tree.h"

/* Wall clock, resource usage, counters with their state, metrics, and what
 * could not be counted. */
void summary_add_text(struct hpm_string *string,
                      const struct hpm_experiment *experiment,
                      struct hpm_derived *derived,
                      const struct hpm_tree_style *style);

#endif
