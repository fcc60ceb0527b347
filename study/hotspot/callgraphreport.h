/* SPDX-License-Identifier: BSD-3-Clause
 * Who calls whom, as a report. */
#ifndef HPM_STUDY_HOTSPOT_CALLGRAPHREPORT_H
#define HPM_STUDY_HOTSPOT_CALLGRAPHREPORT_H

#include "report/text.h"
#include "study/hotspot/callgraph.h"
#include "study/hotspot/hotspots.h"

/* Append it.  Text has at most `n_most` functions and calls of an event, and says how
 * many there are more; the others have all.  The hot spots are the same study's.
 * Nothing but the string's `failed` can go wrong. */
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
