/* SPDX-License-Identifier: BSD-3-Clause
 * On which processors the tasks of a job ran. */
#ifndef HPM_STUDY_REPORT_BINDINGS_H
#define HPM_STUDY_REPORT_BINDINGS_H

#include "base/string.h"
#include "study/columns/study.h"

/* Append a line for each different binding, at most a few, broken at `width`;
 * nothing for one task, or where each may use all processors of its node. */
void hpm_bindings_add(struct hpm_string *string, const struct hpm_study *study,
                      size_t width);

#endif
