/* SPDX-License-Identifier: BSD-3-Clause
 * The records of several call paths in one order, and their totals for the linked
 * trees. */
#ifndef HPMVIZ_DATA_TREEROWS_H
#define HPMVIZ_DATA_TREEROWS_H

#include "hpmviz/data/treestate.h"
#include "study/survey/rowstotal.h"

/* By place of the study: its number when places are sorted by task, then by
 * thread.  For g_free. */
guint *hpmviz_treerows_rank(const struct hpm_study *study);

/* The rows of these call paths, which are subjects, by task and thread, as those of
 * a single subject are; trees->ranks are there.  For g_free. */
uint32_t *hpmviz_treerows_join(const struct hpmviz_trees *trees,
                               const guint *paths, guint n, size_t *ret_n_rows);

/* For totals of what the selected metric needs; NULL without memory, or if no
 * metric is selected. */
struct hpm_rowstotal *
hpmviz_treerows_new_total(const struct hpmviz_trees *trees);

#endif
