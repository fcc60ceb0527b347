/* SPDX-License-Identifier: BSD-3-Clause
 * Hot spots as a report: text for people, tables for programs. */
#ifndef HPM_STUDY_HOTSPOT_HOTSPOTREPORT_H
#define HPM_STUDY_HOTSPOT_HOTSPOTREPORT_H

#include "base/string.h"
#include "report/text.h"
#include "study/hotspot/hotspots.h"

/* Append the name of a sampled event; where another event of the study has the
 * same name, with its period: "cpu-clock, one each 997 us". */
void hpm_hotspotreport_add_event(struct hpm_string *string,
                                 const struct hpm_study *study, size_t sampled);

/* Append what was sampled, for the part of all samples: "cpu-clock: 843
 * samples, one each 997 us; 857 were to be expected", as lines of at most
 * `width`. */
void hpm_hotspotreport_add_head(struct hpm_string *string,
                                const struct hpm_hotspots *hotspots,
                                const struct hpm_hotspots_part *part,
                                size_t width);

/* Append what readers must know about shares, and which places have no
 * names. */
void hpm_hotspotreport_add_notes(struct hpm_string *string,
                                 const struct hpm_hotspots *hotspots,
                                 size_t width);

/* Append two cells: the share of `n` in `n_all` samples in percent, and its
 * interval; none where n_all is too small. */
void hpm_hotspotreport_add_share(struct hpm_table *table, uint64_t n,
                                 uint64_t n_all);

/* Append the hot spots.  Text has at most `n_most` places of a section, and
 * says how many more there are; the other formats have all.  The only error is
 * the string's `failed`. */
void hpm_hotspotreport_add_text(struct hpm_string *string,
                                const struct hpm_hotspots *hotspots,
                                size_t n_most,
                                const struct hpm_text_style *style);
void hpm_hotspotreport_add_csv(struct hpm_string *string,
                               const struct hpm_hotspots *hotspots);
void hpm_hotspotreport_add_json(struct hpm_string *string,
                                const struct hpm_hotspots *hotspots);

#endif
