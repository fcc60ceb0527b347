/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of runs that counted something, among several combined runs: "1 3".
 * The list has no limit of length, nor its numbers of size. */
#ifndef HPM_STUDY_COLUMNS_RUNLIST_H
#define HPM_STUDY_COLUMNS_RUNLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"
#include "study/columns/align.h"

/* {0} is an empty list. */
struct hpm_runlist {
    uint64_t *numbers; /* in ascending order, each once */
    size_t n, capacity;
};

/* Add the numbers of a text.  A text that is not a list adds nothing, so that
 * it has no run in common with another list.  False when there is no memory. */
bool hpm_runlist_read(struct hpm_runlist *list, const char *text);

void hpm_runlist_free(struct hpm_runlist *list);

/* Add the numbers that are in both lists.  False when there is no memory. */
bool hpm_runlist_add_both(struct hpm_runlist *list, const struct hpm_runlist *a,
                          const struct hpm_runlist *b);

/* Append the list as text for hpm_runlist_read; "none" for an empty list. */
void hpm_runlist_write(const struct hpm_runlist *list,
                       struct hpm_string *string);

/* Append the common numbers of two texts.  NULL stands for all runs.  False
 * when there is no memory. */
bool hpm_runlist_intersect(const char *a, const char *b,
                           struct hpm_string *string);

/* Give each counter of the result of an integration the list of the runs that
 * counted it, NULL where all runs did.  The lists tell for which metrics no run
 * counted all inputs.  The runs of a study that is itself made of several runs
 * are kept apart.  False when there is no memory. */
bool hpm_runlist_name_all(struct hpm_align *align);

#endif
