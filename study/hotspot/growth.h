/* SPDX-License-Identifier: BSD-3-Clause
 * Which places of a program take more in one result than in another, by how
 * much of an event their samples stand for: other places do not matter. */
#ifndef HPM_STUDY_HOTSPOT_GROWTH_H
#define HPM_STUDY_HOTSPOT_GROWTH_H

#include "base/error.h"
#include "base/string.h"
#include "report/text.h"
#include "study/hotspot/hotspots.h"

struct hpm_growth_place {
    const char *name, *module; /* as in a hot spot */
    uint64_t n_before, n_after;
    double before, after; /* of the event, per run */
    double low, high;     /* the difference is in this interval with 95 %
                           * probability, considering random sampling only */
};

/* Places for an event that was sampled on both sides. */
struct hpm_growth {
    const struct hpm_study_sampled *before_sampled, *after_sampled;
    const struct hpm_hotspots_part *before, *after; /* for the whole program */
    double before_scale, after_scale; /* how much of the event a sample stands
                                       * for */
    struct hpm_growth_place *places;  /* largest change first */
    size_t n_places;
};

struct hpm_growths {
    enum hpm_naming_kind naming;
    struct hpm_growth *growths;
    size_t n_growths;
};

/* Find them; both hot spots must live longer.  An event that only one side
 * sampled is left out.  False when there is no memory. */
bool hpm_growths_find(struct hpm_growths *ret_growths,
                      const struct hpm_hotspots *before,
                      const struct hpm_hotspots *after, struct hpm_error *err);
void hpm_growths_clear(struct hpm_growths *growths);

/* Append them; text has at most `n_most` places of an event. */
void hpm_growths_add_text(struct hpm_string *string,
                          const struct hpm_growths *growths, size_t n_most,
                          const struct hpm_text_style *style);
void hpm_growths_add_csv(struct hpm_string *string,
                         const struct hpm_growths *growths);
void hpm_growths_add_json(struct hpm_string *string,
                          const struct hpm_growths *growths);

#endif
