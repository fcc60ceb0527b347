/* SPDX-License-Identifier: BSD-3-Clause
 * The text report of a run. */
#ifndef HPMCOUNT_SUMMARY_H
#define HPMCOUNT_SUMMARY_H

#include "base/string.h"
#include "model/experiment.h"

/* Wall clock, resource usage, counters with their state, derived lines, and
 * what could not be counted. */
void summary_add_text(struct hpm_string *string,
                      const struct hpm_experiment *experiment);

#endif
