/* SPDX-License-Identifier: BSD-3-Clause
 * Which rows and columns of several studies are the same.
 *
 *     result row r      studies[0]  studies[1]  ...
 *     rows[r * n + i]   its row in studies[i], or HPM_NO_INDEX
 *
 * Rows are the same where task, thread and section (the whole call path) are;
 * columns where name, unit and kind are.
 */
#ifndef HPM_STUDY_COLUMNS_ALIGN_H
#define HPM_STUDY_COLUMNS_ALIGN_H

#include "study/columns/study.h"

struct hpm_align {
    const struct hpm_study *const *studies;
    size_t n;
    struct hpm_study *result; /* out: tasks, sections and rows, no data */
    uint32_t *rows;           /* result's n_rows times n */
    uint32_t *columns;        /* result's n_columns times n */
    uint32_t *tasks;          /* result's n_tasks times n */
    struct hpm_arena arena;   /* memory of the arrays above */
};

/* Align n studies into a new result of at most `most_bytes`.  With
 * `are_builds`, sections of different builds that differ only in their line are
 * the same where no line agrees.  False when there is no memory.  End with
 * hpm_align_free, which leaves the result to the caller. */
bool hpm_align_begin(struct hpm_align *align,
                     const struct hpm_study *const *studies, size_t n,
                     bool are_builds, size_t most_bytes, struct hpm_error *err);

void hpm_align_free(struct hpm_align *align);

/* Copy pointers to the studies, sorted by sources, start and contents: the
 * order does not depend on the order of the input. */
void hpm_align_sort(const struct hpm_study **studies, size_t n);

#endif
