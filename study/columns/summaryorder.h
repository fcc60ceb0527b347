/* SPDX-License-Identifier: BSD-3-Clause
 * The order of the sections and columns of a summary: it depends on these alone, for
 * tasks may come to them in different orders. */
#ifndef HPM_STUDY_COLUMNS_SUMMARYORDER_H
#define HPM_STUDY_COLUMNS_SUMMARYORDER_H

#include "study/columns/study.h"

/* The indices of all sections: those of processes before those of threads, each
 * before the sections inside it; beside each other by file, line, id, label, and
 * last what no section covers.  NULL when there is no memory. */
uint32_t *hpm_summaryorder_find(const struct hpm_study *study,
                                struct hpm_arena *arena);

/* The indices of all columns, by kind and name.  NULL when there is no memory. */
uint32_t *hpm_summaryorder_columns(const struct hpm_study *study,
                                   struct hpm_arena *arena);

#endif
