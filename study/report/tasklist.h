/* SPDX-License-Identifier: BSD-3-Clause
 * Some of the tasks of a study, by their numbers. */
#ifndef HPM_STUDY_REPORT_TASKLIST_H
#define HPM_STUDY_REPORT_TASKLIST_H

#include <stdbool.h>

#include "base/string.h"
#include "study/columns/study.h"

/* Append `before` and "tasks 0-3, 7"; nothing where is_in[] is set for all
 * tasks. */
void hpm_tasklist_add(struct hpm_string *line, const struct hpm_study *study,
                      const bool *is_in, const char *before);

#endif
