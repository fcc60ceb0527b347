/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison for people and for programs. */
#ifndef HPM_STUDY_COMPARE_VIEW_H
#define HPM_STUDY_COMPARE_VIEW_H

#include "base/string.h"
#include "study/compare/comparison.h"

struct hpm_sweep;

/* All that a report needs. */
struct hpm_compare_view {
    const struct hpm_samples *samples;
    const struct hpm_comparisons *comparisons;
    const char *notes;             /* lines about the runs, or "" */
    const char *limits;            /* lines about the user's limits, or "" */
    size_t n_crossed;              /* number of crossed limits */
    uint64_t seed;                 /* of the random order of runs */
    bool has_order;                /* hpm compare decided the order of the
                                    * runs */
    double until;                  /* the wanted difference; 0: not asked */
    const struct hpm_sweep *sweep; /* the sides are its values; NULL: no
                                    * sweep */
    size_t width;                  /* of the terminal; 0: not limited */
    bool is_coloured;
};

void hpm_compare_add_text(struct hpm_string *string,
                          const struct hpm_compare_view *view);
void hpm_compare_add_json(struct hpm_string *string,
                          const struct hpm_compare_view *view);
void hpm_compare_add_markdown(struct hpm_string *string,
                              const struct hpm_compare_view *view);

#endif
