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

/* Append notes, each a line of its own, broken where `width` is full (0: never). */
void screen_add_notes(struct hpm_string *string, const struct hpm_string *notes,
                      size_t width);

/* Append the report of a run for which nothing was chosen: the head,
 * instructions and cycles or why there are none, what stands out, how to see
 * more.  At most 12 lines, and one for each thing that went wrong: a terminal of
 * 60 to 80 columns has fewer words and leaves out what `-v` and `hpm explain`
 * tell.  Narrower ones may have more lines. */
void screen_add_text(struct hpm_string *string,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived, const struct look *look);

#endif
