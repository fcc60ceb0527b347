/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics there are. */
#ifndef HPM_STUDY_TOOL_CATALOGUE_H
#define HPM_STUDY_TOOL_CATALOGUE_H

#include "metric/request.h"
#include "report/table.h"

/* A row a metric that is defined: "metric", "here" (yes, in part, no),
 * "unit", "meaning".  Those that cannot be measured are left out unless
 * `has_all`. */
void hpm_catalogue_fill(struct hpm_table *table, struct hpm_request *request,
                        bool has_all);

/* A row a set of the definitions: "set", "here", "members". */
void hpm_catalogue_fill_sets(struct hpm_table *table,
                             struct hpm_request *request);

/* A row a metric that gives a hint: "hint", "here", "bad" (beyond which value),
 * "meaning". */
void hpm_catalogue_fill_hints(struct hpm_table *table,
                              struct hpm_request *request);

/* "yes", "in part" or "no". */
const char *hpm_feasible_word(enum hpm_feasible feasible);

#endif
