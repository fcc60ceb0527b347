/* SPDX-License-Identifier: BSD-3-Clause
 * Which section of one study is which of another. */
#ifndef HPM_STUDY_COLUMNS_PAIR_H
#define HPM_STUDY_COLUMNS_PAIR_H

#include "study/columns/study.h"

/* Find the sections of `from` in `to`, or add them; map[] gets the index in
 * `to` of each.  With `are_builds`, a section without its like may be one that
 * only moved to another line: it is paired, in the order of lines, with one of
 * the same label, file, instance and parent that has no like either.  False
 * when there is no memory. */
bool hpm_pair_sections(struct hpm_study *to, const struct hpm_study *from,
                       bool are_builds, uint32_t *map);

#endif
