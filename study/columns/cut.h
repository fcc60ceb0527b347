/* SPDX-License-Identifier: BSD-3-Clause
 * A part of an experiment. */
#ifndef HPM_STUDY_COLUMNS_CUT_H
#define HPM_STUDY_COLUMNS_CUT_H

#include "study/columns/study.h"

/* Keep only the sections of this label, as roots, and the sections inside them.
 * The same section on different call paths becomes one, with the values added
 * up.  NULL when no section has the label or there is no memory (the result
 * takes at most `most_bytes`, 0: no bound). */
struct hpm_study *hpm_cut_root(const struct hpm_study *study, const char *label,
                               size_t most_bytes, struct hpm_error *err);

/* Remove the sections of this label and all sections inside them, as if they
 * had never been marked: what they used belongs to the section around them,
 * whose exclusive values grow.  NULL as for hpm_cut_root. */
struct hpm_study *hpm_cut_remove(const struct hpm_study *study,
                                 const char *label, size_t most_bytes,
                                 struct hpm_error *err);

#endif
