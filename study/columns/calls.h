/* SPDX-License-Identifier: BSD-3-Clause
 * The single calls of a study (HPM_CALLS): of some rows, some of their calls, drawn
 * by chance so that each had the same chance.
 *
 *     kept[] --> row, calls[]
 *
 * A row may have several such draws, one for each call path that became this row
 * when another section was cut out. */
#ifndef HPM_STUDY_COLUMNS_CALLS_H
#define HPM_STUDY_COLUMNS_CALLS_H

#include "study/columns/study.h"

/* What a call counted of one counter. */
struct hpm_call_value {
    bool is_there;    /* false: nobody knows (the counter had no turn) */
    bool is_estimate; /* it was counted for a part of the call */
    int64_t count;    /* may be below 0: a single call is not raised to 0 */
};

/* The next word of a call's counts; false where there is none, or it is not "7",
 * "-7", "7*" (an estimate) or "-" (not known).  *text is led behind it. */
bool hpm_calls_value(const char **text, struct hpm_call_value *ret_value);

/* Are these `n` such words, with one blank between two of them? */
bool hpm_calls_are_counts(const char *text, size_t n);

/* Append a draw, whose texts are the study's own, with its calls still to come,
 * and a call of it.  False when there is no memory. */
bool hpm_calls_begin(struct hpm_study *study,
                     const struct hpm_study_kept *kept);
bool hpm_calls_add(struct hpm_study *study, const struct hpm_study_call *call);

/* The draws of a row: the first one, and how many there are. */
size_t hpm_calls_of(const struct hpm_study *study, uint32_t row,
                    const struct hpm_study_kept **ret_first);

/* The draws of a row of another study become those of the last row of this one that
 * has any, or of one behind it.  False when there is no memory. */
bool hpm_calls_move_row(struct hpm_study *to, const struct hpm_study *from,
                        uint32_t row, uint32_t to_row);

/* Of these studies a result is made that has no single calls: say so in its
 * tasks, where any study had some.  False when there is no memory. */
bool hpm_calls_tell_left_out(struct hpm_study *result,
                             const struct hpm_study *const *studies, size_t n);

#endif
