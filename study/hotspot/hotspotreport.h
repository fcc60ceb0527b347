/* SPDX-License-Identifier: BSD-3-Clause
 * Hot spots as a report: text for people, tables for programs. */
#ifndef HPM_STUDY_HOTSPOT_HOTSPOTREPORT_H
#define HPM_STUDY_HOTSPOT_HOTSPOTREPORT_H

#include "base/string.h"
#include "report/text.h"
#include "study/hotspot/hotspots.h"

/* Append them.  Text has at most `n_most` places of a section, and says how many
 * there are more; the others have all.  Nothing but the string's `failed` can go
 * wrong. */
void hpm_hotspotreport_add_text(struct hpm_string *string,
                                const struct hpm_hotspots *hotspots,
                                size_t n_most,
                                const struct hpm_text_style *style);
void hpm_hotspotreport_add_csv(struct hpm_string *string,
                               const struct hpm_hotspots *hotspots);
void hpm_hotspotreport_add_json(struct hpm_string *string,
                                const struct hpm_hotspots *hotspots);

#endif
