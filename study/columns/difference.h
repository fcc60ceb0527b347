/* SPDX-License-Identifier: BSD-3-Clause
 * The difference of two values of one counter in one section. */
#ifndef HPM_STUDY_COLUMNS_DIFFERENCE_H
#define HPM_STUDY_COLUMNS_DIFFERENCE_H

#include "study/columns/study.h"

/* b - a.  Where a side does not have the section at all (NULL), it counts as
 * zero; a value that is missing on one side leaves none.  The spread of two
 * means is that of a run of b less a run of a; there is none where a side is a
 * single run. */
void hpm_difference_of(const struct hpm_datum *a, const struct hpm_datum *b,
                       struct hpm_datum *ret_datum);

#endif
