/* SPDX-License-Identifier: BSD-3-Clause
 * The spreads of a summary: how the values of a column lie over the threads, or
 * processes, that a row stands for. */
#ifndef HPM_STUDY_COLUMNS_SPREADS_H
#define HPM_STUDY_COLUMNS_SPREADS_H

#include "study/columns/study.h"

/* Append a spread, whose row is the last one that has any, or one behind it;
 * texts are the study's own.  False when there is no memory. */
bool hpm_spreads_add(struct hpm_study *study,
                     const struct hpm_study_spread *spread);

/* Make the texts of a spread the study's own; false when there is no memory. */
bool hpm_spreads_own(struct hpm_study *study, struct hpm_study_spread *spread);

/* The spreads of a row: *ret_first is the first one, the result their number. */
size_t hpm_spreads_of(const struct hpm_study *study, uint32_t row,
                      const struct hpm_study_spread **ret_first);

/* The spread of a column in a row; NULL where there is none. */
const struct hpm_study_spread *hpm_spreads_find(const struct hpm_study *study,
                                                uint32_t row, uint32_t column);

/* Copy the spreads of a row of another study to row `to_row`; columns[i] is the
 * index in `to` of column i of `from`.  False when there is no memory. */
bool hpm_spreads_move_row(struct hpm_study *to, const struct hpm_study *from,
                          uint32_t row, uint32_t to_row,
                          const uint32_t *columns);

#endif
