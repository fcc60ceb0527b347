/* SPDX-License-Identifier: BSD-3-Clause
 * What changed from one experiment to another. */
#ifndef HPM_STUDY_COLUMNS_DIFF_H
#define HPM_STUDY_COLUMNS_DIFF_H

#include "study/columns/study.h"

/* b - a: every value is kept with the value it had in a, so that the relative
 * change can be computed.  A section that only one side has is kept and says
 * which side that is; the other side counts as zero, unless its file is not
 * complete.  A counter that only one side has gives no value.  A section that
 * moved to another line is still the same section, as far as the order of lines
 * tells.  Recorded metrics are left out.  NULL when the sides have different
 * PMUs or there is no memory (the result takes at most `most_bytes`, 0: no
 * bound). */
struct hpm_study *hpm_diff(const struct hpm_study *a, const struct hpm_study *b,
                           size_t most_bytes, struct hpm_error *err);

/* The same for a and b that outlive the result and stay as they are.  Of a value
 * that both have, the result keeps only the difference, and works out the other
 * numbers from a and b when they are asked for: it takes half of the memory. */
struct hpm_study *hpm_diff_of_kept(const struct hpm_study *a,
                                   const struct hpm_study *b, size_t most_bytes,
                                   struct hpm_error *err);

#endif
