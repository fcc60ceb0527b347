/* SPDX-License-Identifier: BSD-3-Clause
 * What each metric has in the whole run, for the tree of metrics. */
#ifndef HPMVIZ_DATA_TOTALS_H
#define HPMVIZ_DATA_TOTALS_H

#include "hpmviz/data/treestate.h"

struct hpmviz_totals;

struct hpmviz_totals *hpmviz_totals_new(const struct hpmviz_trees *trees);
void hpmviz_totals_free(struct hpmviz_totals *totals);

/* Add some call paths; FALSE when all are added.  Amounts are added over the
 * outermost call paths and what no section covers; of maxima the largest is
 * taken; ratios are computed from the counts of the whole run. */
gboolean hpmviz_totals_work(struct hpmviz_totals *totals,
                            const struct hpmviz_trees *trees);

struct hpmviz_treevalue hpmviz_totals_value(const struct hpmviz_totals *totals,
                                            const struct hpmviz_trees *trees,
                                            guint node, gboolean is_open);

#endif
