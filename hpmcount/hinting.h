/* SPDX-License-Identifier: BSD-3-Clause
 * Hints for one run, or for several. */
#ifndef HPMCOUNT_HINTING_H
#define HPMCOUNT_HINTING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"
#include "hpmcount/look.h"
#include "metric/derived.h"
#include "study/report/hints.h"

/* Did the run last long enough for hints? */
bool hinting_is_worth(const struct hpm_derived *derived);

/* Add the hints of the whole run to a ranking, unless the run is too short for
 * hints. */
void hinting_add_run(struct hpm_ranking *ranking, struct hpm_derived *derived,
                     const bool *is_chosen, size_t place);

/* Make a ranking of one run; clear it (hpm_ranking_clear).  False when memory
 * runs out. */
bool hinting_rank(struct hpm_ranking *ranking, struct hpm_derived *derived,
                  const struct look *look);

/* Append the name of a place that is one of several runs, from 0 on: "run
 * 3". */
void hinting_name_run(struct hpm_string *string, size_t place,
                      const struct hpm_metric *metric, void *context);

/* The same in the reader's language. */
void hinting_show_run(struct hpm_string *string, size_t place,
                      const struct hpm_metric *metric, void *context);

#endif
