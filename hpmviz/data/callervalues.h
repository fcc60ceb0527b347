/* SPDX-License-Identifier: BSD-3-Clause
 * What the selected metric has in each node of the tree of callers
 * (callertree.h). */
#ifndef HPMVIZ_DATA_CALLERVALUES_H
#define HPMVIZ_DATA_CALLERVALUES_H

#include "hpmviz/data/treestate.h"

struct hpmviz_callervalues;

/* Of trees->callers, which are there, and of the metric that is selected at this
 * time. */
struct hpmviz_callervalues *
hpmviz_callervalues_new(const struct hpmviz_trees *trees);
void hpmviz_callervalues_free(struct hpmviz_callervalues *values);

/* Work out some values, for less than a millisecond; FALSE when all are there.
 * The survey is used by no other thread meanwhile. */
gboolean hpmviz_callervalues_work(struct hpmviz_callervalues *values,
                                  const struct hpmviz_trees *trees);

/* The value of a node; that of a closed one is pending until it is worked out. */
struct hpmviz_treevalue
hpmviz_callervalues_value(const struct hpmviz_callervalues *values,
                          const struct hpmviz_trees *trees, guint node,
                          gboolean is_open);

#endif
