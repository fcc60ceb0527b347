/* SPDX-License-Identifier: BSD-3-Clause
 * Limits for changes, for tests that fail when a program became worse.
 *
 *     limit  = [ [ side "@" ] section ": " ] metric ( ">" | "<" ) percent
 *
 * Examples: "TIME > +3 %", "*@solve: INSTRUCTIONS > +1 %".  A side is a letter
 * or a glob of its command; a section is a glob of its path, or the label at
 * the end of the path.  Without a section the limit is for the whole program,
 * without a side for all sides but A.
 */
#ifndef HPM_STUDY_COMPARE_GATE_H
#define HPM_STUDY_COMPARE_GATE_H

#include "base/error.h"
#include "base/string.h"
#include "study/compare/comparison.h"

struct hpm_gate_limit {
    const char *text; /* as the user gave it; owned by the caller */
    char *side, *section, *metric;
    bool is_above; /* ">" */
    double part;   /* the limit as a part: 0.03 for +3 % */
};

/* Start from {0}. */
struct hpm_gate {
    struct hpm_gate_limit *all;
    size_t n, capacity;
};

/* Read one more limit; false, with the reason, where the text is not a
 * limit. */
bool hpm_gate_add(struct hpm_gate *limits, const char *text,
                  struct hpm_error *err);
void hpm_gate_clear(struct hpm_gate *limits);

/* What a comparison says about a limit. */
enum hpm_gate_verdict {
    HPM_GATE_OTHER, /* the limit is not for this comparison */
    HPM_GATE_HELD,
    HPM_GATE_CROSSED, /* a difference was found, beyond the limit */
    HPM_GATE_BLIND    /* no difference was found, but so few runs may miss one
                       * as large as the limit */
};

enum hpm_gate_verdict hpm_gate_judge(const struct hpm_gate_limit *limit,
                                     const struct hpm_samples *samples,
                                     const struct hpm_comparison *comparison);

/* Append a line for each limit and each comparison it applies to; of the
 * comparisons that hold, only the first of each limit.  *ret_n_crossed is the
 * number of crossed ones.  False, with the reason, where a limit cannot be
 * judged for a side it applies to, because A or that side lacks the metric. */
bool hpm_gate_report(const struct hpm_gate *limits,
                     const struct hpm_samples *samples,
                     const struct hpm_comparisons *comparisons,
                     struct hpm_string *lines, size_t *ret_n_crossed,
                     struct hpm_error *err);

#endif
