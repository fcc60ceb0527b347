/* SPDX-License-Identifier: BSD-3-Clause
 * The first screen: what a run took, at a glance. */
#ifndef HPMCOUNT_SCREEN_H
#define HPMCOUNT_SCREEN_H

#include "base/string.h"
#include "hpmcount/look.h"
#include "metric/derived.h"
#include "model/experiment.h"

/* Append an empty line, the run's name and how it ended, where that was not with
 * exit status 0. */
void screen_add_title(struct hpm_string *string, const struct hpm_run *run);

/* Append the lines that every text report of a run begins with: its title,
 * elapsed time, processor time, peak memory. */
void screen_add_head(struct hpm_string *string,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived, const struct look *look);

/* Append the report of a run for which nothing was chosen: the head,
 * instructions and cycles or why there are none, what stands out, how to see
 * more.  At most 12 lines at the width of the terminal, and one for each thing
 * that went wrong. */
void screen_add_text(struct hpm_string *string,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived, const struct look *look);

#endif
