/* SPDX-License-Identifier: BSD-3-Clause
 * Are repeated runs alike?  Cycles and instructions, counted in most of them,
 * tell. */
#ifndef HPM_STUDY_COLUMNS_ANCHOR_H
#define HPM_STUDY_COLUMNS_ANCHOR_H

#include "study/columns/align.h"

/* Flag each aligned study whose cycles or instructions, all its sections
 * together, are further from the median of all studies than `tolerance` of it
 * (0: 0.05): a problem in the tasks of the result names study and figure.
 * False when there is no memory. */
bool hpm_anchor_check(struct hpm_align *align, double tolerance);

/* Is this a name of the counter of cycles or of instructions? */
bool hpm_anchor_is_one(const char *name);

#endif
