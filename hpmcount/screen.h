/* SPDX-License-Identifier: BSD-3-Clause
 * The first screen: a short overview of a run. */
#ifndef HPMCOUNT_SCREEN_H
#define HPMCOUNT_SCREEN_H

#include "base/string.h"
#include "hpmcount/look.h"
#include "metric/derived.h"
#include "model/experiment.h"

/* Append an empty line, the run's name, and how it ended unless with exit
 * status 0. */
void screen_add_title(struct hpm_string *string, const struct hpm_run *run);

/* Append the first lines of every text report of a run: title, elapsed time,
 * processor time, peak memory. */
void screen_add_head(struct hpm_string *string,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived, const struct look *look);

/* Append an entry of a screen: its word, and beside it its text, in lines of that
 * width (0: in one line). */
void screen_add_entry(struct hpm_string *string, size_t width, const char *word,
                      const char *text);

/* Append notes, each on a line of its own, broken at `width` (0: not
 * broken). */
void screen_add_notes(struct hpm_string *string, const struct hpm_string *notes,
                      size_t width);

/* Append the report of a run for which the user chose nothing: the head,
 * instructions and cycles or why there are none, hints, how to see more.  At
 * most 12 lines, and one for each problem: on a terminal of 60 to 80 columns
 * there are fewer words, and what `-v` and `hpm explain` tell is left out.
 * Narrower terminals may get more lines. */
void screen_add_text(struct hpm_string *string,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived, const struct look *look);

#endif
