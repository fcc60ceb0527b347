/* SPDX-License-Identifier: BSD-3-Clause
 * What a study lacks: files that were left out when it was made, and tasks that
 * are missing in its numbers of tasks. */
#ifndef HPM_STUDY_COLUMNS_LACKS_H
#define HPM_STUDY_COLUMNS_LACKS_H

#include "base/string.h"
#include "study/columns/study.h"

/* Note that nothing of a file is in the study, and why (NULL: not known); the
 * texts are copied.  A repeated note is kept once.  False when there is no
 * memory. */
bool hpm_lacks_add(struct hpm_study *study, const char *file,
                   const char *reason);

/* Take over what another study lacks; false when there is no memory. */
bool hpm_lacks_transfer(struct hpm_study *to, const struct hpm_study *from);

/* How many files were left out. */
uint64_t hpm_lacks_count(const struct hpm_study *study);

/* Append "7-9, 12": the numbers between 0 and the largest one that no task has.
 * Forked children, which have numbers behind these (study/columns/family.h),
 * are not considered.  Returns how many numbers are missing; 0 for the file of
 * a single task. */
uint64_t hpm_lacks_add_holes(const struct hpm_study *study,
                             struct hpm_string *string);

/* Append a line for people on missing tasks and one on files left out: "tasks
 * 7-9, 12 are missing: 4 of 16"; "3 files were left out: ...".  Appends nothing
 * where nothing is missing; nothing on files where at most `n_said` were left
 * out, which the caller has reported already. */
void hpm_lacks_add_lines(const struct hpm_study *study, uint64_t n_said,
                         struct hpm_string *string);

#endif
