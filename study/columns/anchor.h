/* SPDX-License-Identifier: BSD-3-Clause
 * Are repeated runs alike?  Cycles and instructions, which most runs count,
 * tell. */
#ifndef HPM_STUDY_COLUMNS_ANCHOR_H
#define HPM_STUDY_COLUMNS_ANCHOR_H

#include "study/columns/align.h"

/* Flag each aligned study whose total of cycles or instructions, over all
 * sections, is further from the median of all studies than `tolerance` of the
 * median (0: 0.05).  A problem in the tasks of the result names the study and
 * the figure.  False when there is no memory. */
bool hpm_anchor_check(struct hpm_align *align, double tolerance);

/* Is this a name of the counter of cycles or of instructions? */
bool hpm_anchor_is_one(const char *name);

#endif
