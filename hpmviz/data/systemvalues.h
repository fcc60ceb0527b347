/* SPDX-License-Identifier: BSD-3-Clause
 * What the selected metric has on the selected call path, in each node of the
 * system. */
#ifndef HPMVIZ_DATA_SYSTEMVALUES_H
#define HPMVIZ_DATA_SYSTEMVALUES_H

#include "hpmviz/data/treestate.h"

struct hpmviz_systemvalues;

/* Of what is chosen in the trees at this time; without a choice nothing has a
 * value. */
struct hpmviz_systemvalues *
hpmviz_systemvalues_new(const struct hpmviz_trees *trees);
void hpmviz_systemvalues_free(struct hpmviz_systemvalues *values);

/* Work out some values, for less than a millisecond; FALSE when all are there.
 * The survey is used by no other thread meanwhile. */
gboolean hpmviz_systemvalues_work(struct hpmviz_systemvalues *values,
                                  const struct hpmviz_trees *trees);

/* The value of a node, which is pending until all values are there. */
struct hpmviz_treevalue
hpmviz_systemvalues_value(const struct hpmviz_systemvalues *values, guint node,
                          gboolean is_open);

#endif
