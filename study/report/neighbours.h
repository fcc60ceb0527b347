/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a job as a graph of neighbours, in words. */
#ifndef HPM_STUDY_REPORT_NEIGHBOURS_H
#define HPM_STUDY_REPORT_NEIGHBOURS_H

#include "base/string.h"
#include "study/columns/study.h"

/* Append lines, broken at `width`: how many neighbours the tasks have, and which task
 * has most; nothing where no task is in a graph. */
void hpm_neighbours_add(struct hpm_string *string,
                        const struct hpm_study *study, size_t width);

#endif
