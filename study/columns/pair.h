/* SPDX-License-Identifier: BSD-3-Clause
 * Which section of one study is which section of another. */
#ifndef HPM_STUDY_COLUMNS_PAIR_H
#define HPM_STUDY_COLUMNS_PAIR_H

#include "study/columns/study.h"

/* Find the sections of `from` in `to`, or add them; map[] gets the index in
 * `to` of each.  With `are_builds`, a section that `to` does not have may have
 * moved to another line: in the order of lines it is paired with an unpaired
 * section of the same label, file, instance and parent.  False when there is no
 * memory. */
bool hpm_pair_sections(struct hpm_study *to, const struct hpm_study *from,
                       bool are_builds, uint32_t *map);

#endif
