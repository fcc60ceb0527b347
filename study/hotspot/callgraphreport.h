/* SPDX-License-Identifier: BSD-3-Clause
 * The call graph as a report. */
#ifndef HPM_STUDY_HOTSPOT_CALLGRAPHREPORT_H
#define HPM_STUDY_HOTSPOT_CALLGRAPHREPORT_H

#include "report/text.h"
#include "study/hotspot/callgraph.h"
#include "study/hotspot/hotspots.h"

/* Append the call graph.  Text has at most `n_most` functions and calls of an
 * event, and says how many more there are; the other formats have all.  The hot
 * spots are those of the same study.  The only error is the string's
 * `failed`. */
void hpm_callgraphreport_add_text(struct hpm_string *string,
                                  const struct hpm_callgraph *graph,
                                  const struct hpm_hotspots *hotspots,
                                  size_t n_most,
                                  const struct hpm_text_style *style);
void hpm_callgraphreport_add_csv(struct hpm_string *string,
                                 const struct hpm_callgraph *graph);
void hpm_callgraphreport_add_json(struct hpm_string *string,
                                  const struct hpm_callgraph *graph);

#endif
