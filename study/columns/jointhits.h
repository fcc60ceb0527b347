/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of several studies in one. */
#ifndef HPM_STUDY_COLUMNS_JOINTHITS_H
#define HPM_STUDY_COLUMNS_JOINTHITS_H

#include "study/columns/align.h"

/* Add the samples of all studies to the result: samples of several runs are
 * more samples of one program.  False when there is no memory. */
bool hpm_jointhits_add(struct hpm_align *align);

#endif
