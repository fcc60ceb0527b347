/* SPDX-License-Identifier: BSD-3-Clause
 * The difference of two values of one counter in one section. */
#ifndef HPM_STUDY_COLUMNS_DIFFERENCE_H
#define HPM_STUDY_COLUMNS_DIFFERENCE_H

#include "study/columns/study.h"

/* b - a.  A side that does not have the section at all (NULL) counts as zero.
 * A value that one side lacks is missing in the result.  The spread of two
 * means is the spread of a run of b minus a run of a; there is no spread where
 * one side is a single run. */
void hpm_difference_of(const struct hpm_datum *a, const struct hpm_datum *b,
                       struct hpm_datum *ret_datum);

#endif
