/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics there are, and what one of them is. */
#ifndef HPM_REPORT_CATALOGUE_H
#define HPM_REPORT_CATALOGUE_H

#include "base/string.h"
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

/* All that is known of one metric, in some lines: what it is, its formulas,
 * unit, limits with their source, remarks, whether and by which events it can
 * be measured here, where it is defined, and the same of what it needs. */
void hpm_catalogue_explain(struct hpm_string *string,
                           struct hpm_request *request, size_t metric);

#endif
