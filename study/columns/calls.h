/* SPDX-License-Identifier: BSD-3-Clause
 * The single calls of a study (HPM_CALLS): of some rows, a random selection of
 * their calls, in which each call had the same chance.
 *
 *     kept[] --> row, calls[]
 *
 * A row may have several such selections ("draws"): one for each call path that
 * became part of this row when another section was cut out. */
#ifndef HPM_STUDY_COLUMNS_CALLS_H
#define HPM_STUDY_COLUMNS_CALLS_H

#include "study/columns/study.h"

/* What one call counted of one counter. */
struct hpm_call_value {
    bool is_there;    /* false: not known, the counter had no turn */
    bool is_estimate; /* counted only for a part of the call */
    int64_t count;    /* may be negative: a single call is not raised to 0 */
};

/* Read the next word of a call's counts and set *text behind it: "7", "-7",
 * "7*" (an estimate) or "-" (not known).  False where there is no such word. */
bool hpm_calls_value(const char **text, struct hpm_call_value *ret_value);

/* Is the text exactly `n` such words, with one blank between two of them? */
bool hpm_calls_are_counts(const char *text, size_t n);

/* Append a draw that has no calls yet, and append a call to the last draw; all
 * texts are the study's own.  False when there is no memory. */
bool hpm_calls_begin(struct hpm_study *study,
                     const struct hpm_study_kept *kept);
bool hpm_calls_add(struct hpm_study *study, const struct hpm_study_call *call);

/* The draws of a row: *ret_first is the first one, the result their number. */
size_t hpm_calls_of(const struct hpm_study *study, uint32_t row,
                    const struct hpm_study_kept **ret_first);

/* Move the draws of a row of another study to row `to_row`: the last row of
 * `to` that has draws, or one behind that.  False when there is no memory. */
bool hpm_calls_move_row(struct hpm_study *to, const struct hpm_study *from,
                        uint32_t row, uint32_t to_row);

/* The result of these studies has no single calls: add a problem to its tasks
 * where any of the studies has some.  False when there is no memory. */
bool hpm_calls_tell_left_out(struct hpm_study *result,
                             const struct hpm_study *const *studies, size_t n);

#endif
