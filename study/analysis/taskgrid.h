/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks as a grid: where those stand that have something in common, if tasks form
 * a grid by their numbers, row after row, as a Cartesian communicator has them. */
#ifndef HPM_STUDY_ANALYSIS_TASKGRID_H
#define HPM_STUDY_ANALYSIS_TASKGRID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"

/* Append "corners of 8 x 8 tasks", "border of 4 x 4 x 4 tasks" where the members
 * among the n tasks, four or more, are that and no others are.  No side of a grid
 * is below 3, as nothing would be inside.  False, and nothing, where they are
 * nothing of the kind in any grid of n. */
bool hpm_taskgrid_add(const bool *are_members, size_t n,
                      struct hpm_string *string);

#endif
