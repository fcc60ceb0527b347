/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison for people and for programs. */
#ifndef HPM_STUDY_COMPARE_VIEW_H
#define HPM_STUDY_COMPARE_VIEW_H

#include "base/string.h"
#include "study/compare/comparison.h"

struct hpm_sweep;

/* All a report needs. */
struct hpm_compare_view {
    const struct hpm_samples *samples;
    const struct hpm_comparisons *comparisons;
    const char *notes;             /* lines on how the runs went, or "" */
    const char *limits;            /* lines on what was to be kept, or "" */
    size_t n_crossed;              /* of these limits */
    uint64_t seed;                 /* of the order of runs */
    bool has_order;                /* the runs had an order of ours */
    double until;                  /* 0: not asked */
    const struct hpm_sweep *sweep; /* whose values the sides are; NULL: none */
    size_t width;                  /* of a terminal; 0: no bound */
    bool is_coloured;
};

void hpm_compare_add_text(struct hpm_string *string,
                          const struct hpm_compare_view *view);
void hpm_compare_add_json(struct hpm_string *string,
                          const struct hpm_compare_view *view);
void hpm_compare_add_markdown(struct hpm_string *string,
                              const struct hpm_compare_view *view);

#endif
