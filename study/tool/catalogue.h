/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of all defined metrics, sets and hints. */
#ifndef HPM_STUDY_TOOL_CATALOGUE_H
#define HPM_STUDY_TOOL_CATALOGUE_H

#include "metric/request.h"
#include "report/table.h"

/* Add a row for each defined metric: "metric", "here" (yes, in part, no),
 * "unit", "meaning".  Metrics that cannot be measured are left out unless
 * `has_all`. */
void hpm_catalogue_fill(struct hpm_table *table, struct hpm_request *request,
                        bool has_all);

/* Add a row for each set: "set", "here", "members". */
void hpm_catalogue_fill_sets(struct hpm_table *table,
                             struct hpm_request *request);

/* Add a row for each metric that gives a hint: "hint", "here", "bad" (limit),
 * "meaning". */
void hpm_catalogue_fill_hints(struct hpm_table *table,
                              struct hpm_request *request);

/* The word: "yes", "in part" or "no". */
const char *hpm_feasible_word(enum hpm_feasible feasible);

#endif
