/* SPDX-License-Identifier: BSD-3-Clause
 * What is said of the linked trees. */
#ifndef HPMVIZ_DATA_TREEWORDS_H
#define HPMVIZ_DATA_TREEWORDS_H

#include "hpmviz/data/trees.h"

/* Append a line for what is selected in a tree: its name, value, unit, how the
 * value came about or why there is none; nothing where nothing is selected.
 * Names are safe to be shown. */
void hpmviz_treewords_add(const struct hpmviz_trees *trees,
                          enum hpmviz_tree tree, struct hpm_string *text);

/* Append the names from the root to a node, separated by slashes. */
void hpmviz_treewords_add_way(const struct hpmviz_trees *trees,
                              enum hpmviz_tree tree, guint node,
                              struct hpm_string *text);

#endif
