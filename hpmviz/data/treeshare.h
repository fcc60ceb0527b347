/* SPDX-License-Identifier: BSD-3-Clause
 * How much a value of the linked trees is of others: in per cent, and as a
 * colour. */
#ifndef HPMVIZ_DATA_TREESHARE_H
#define HPMVIZ_DATA_TREESHARE_H

#include "hpmviz/data/trees.h"

/* Append the value of a node by the mode of the trees: "12.5 %", or the number
 * itself where it has no share. */
void hpmviz_treeshare_add_text(const struct hpmviz_trees *trees,
                               enum hpmviz_tree tree, guint node,
                               gboolean is_open, struct hpm_string *text);

/* The same number in per cent; NAN for none, and in mode HPMVIZ_TREE_ABSOLUTE. */
double hpmviz_treeshare_percent(const struct hpmviz_trees *trees,
                                enum hpmviz_tree tree, guint node,
                                gboolean is_open);

/* -1 to 1: a node's value by what is selected in the tree to the left; of ratios,
 * maxima and differences by the largest of its tree, with the sign of the
 * value.  NAN where there is no value. */
double hpmviz_treeshare_heat(const struct hpmviz_trees *trees,
                             enum hpmviz_tree tree, guint node,
                             gboolean is_open);

/* Colours of the scale, from 0 to the largest. */
enum { HPMVIZ_TREESHARE_STEPS = 7 };

/* "#rrggbb" of a heat, or of the n-th step of a sign; NULL for NAN. */
const char *hpmviz_treeshare_colour(double heat, gboolean is_dark);
const char *hpmviz_treeshare_step(guint step, gboolean is_below_0,
                                  gboolean is_dark);

/* "absolute", "root", "selection", "peer". */
const char *hpmviz_treemode_name(enum hpmviz_treemode mode);
gboolean hpmviz_treemode_find(const char *name, enum hpmviz_treemode *ret_mode);

#endif
