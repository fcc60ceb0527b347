/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of what may change, for tests that fail when a program became worse.
 *
 *     limit  = [ [ side "@" ] section ": " ] metric ( ">" | "<" ) percent
 *
 * "TIME > +3 %", "*@solve: INSTRUCTIONS > +1 %".  A side is a letter or a glob of
 * its command, a section a glob of its path or the label at its end; without a
 * section the limit is of the whole program, without a side of all but A.
 */
#ifndef HPM_STUDY_COMPARE_GATE_H
#define HPM_STUDY_COMPARE_GATE_H

#include "base/error.h"
#include "base/string.h"
#include "study/compare/comparison.h"

struct hpm_gate_limit {
    const char *text; /* as it was given; the caller's */
    char *side, *section, *metric;
    bool is_above; /* ">" */
    double part;   /* 0.03 */
};

/* Start from {0}. */
struct hpm_gate {
    struct hpm_gate_limit *all;
    size_t n, capacity;
};

/* Read one more; false, and why, where it is none. */
bool hpm_gate_add(struct hpm_gate *limits, const char *text,
                  struct hpm_error *err);
void hpm_gate_clear(struct hpm_gate *limits);

/* How a comparison stands to a limit. */
enum hpm_gate_verdict {
    HPM_GATE_OTHER, /* the limit is not about it */
    HPM_GATE_HELD,
    HPM_GATE_CROSSED, /* a difference was found, and its ratio is beyond */
    HPM_GATE_BLIND    /* none was found, but one as large as the limit might not
                        * have been */
};

enum hpm_gate_verdict hpm_gate_judge(const struct hpm_gate_limit *limit,
                                     const struct hpm_samples *samples,
                                     const struct hpm_comparison *comparison);

/* Append a line for each limit and comparison that it is about, but only the
 * first of those that are held; how many were crossed.  A limit that cannot be
 * judged of each side that it is about, for A or that side lacks the metric:
 * false, and why. */
bool hpm_gate_report(const struct hpm_gate *limits,
                     const struct hpm_samples *samples,
                     const struct hpm_comparisons *comparisons,
                     struct hpm_string *lines, size_t *ret_n_crossed,
                     struct hpm_error *err);

#endif
