/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of those runs, of several that were put together, that counted
 * something: "1 3".  There is no limit to how many, or to their numbers. */
#ifndef HPM_STUDY_COLUMNS_RUNLIST_H
#define HPM_STUDY_COLUMNS_RUNLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string.h"
#include "study/columns/align.h"

/* {0} is a list of none. */
struct hpm_runlist {
    uint64_t *numbers; /* in ascending order, each once */
    size_t n, capacity;
};

/* Add the numbers of a text.  What is no list adds nothing, so that it goes
 * with no other list.  False when there is no memory. */
bool hpm_runlist_read(struct hpm_runlist *list, const char *text);

void hpm_runlist_free(struct hpm_runlist *list);

/* Add the numbers that are in both.  False when there is no memory. */
bool hpm_runlist_add_both(struct hpm_runlist *list, const struct hpm_runlist *a,
                          const struct hpm_runlist *b);

/* As text, which hpm_runlist_read reads; "none" of an empty list. */
void hpm_runlist_write(const struct hpm_runlist *list,
                       struct hpm_string *string);

/* The text of what two texts have in common.  Where NULL stands for all runs.
 * False when there is no memory. */
bool hpm_runlist_intersect(const char *a, const char *b,
                           struct hpm_string *string);

/* Give each counter of the result of an integration the list of those runs
 * that counted it, NULL where all did.  By these a metric is known whose inputs
 * no run counted together.  A study that is itself made of several runs keeps
 * them apart.  False when there is no memory. */
bool hpm_runlist_name_all(struct hpm_align *align);

#endif
