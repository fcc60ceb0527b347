/* SPDX-License-Identifier: BSD-3-Clause
 * Three linked trees, as in KOJAK's CUBE: metrics, call paths, system.  The
 * selected metric is what the call paths have; the selected call path is where
 * the system has it.
 *
 *     metrics[total] ---> call paths[of the metric] ---> system[of that path]
 *
 * A closed node has the value of itself and all below it, an open one only its
 * own.  Values of several threads are their sum, of times, too; ratios are
 * computed from the summed counts; maxima stay maxima.
 */
#ifndef HPMVIZ_DATA_TREES_H
#define HPMVIZ_DATA_TREES_H

#include "hpmviz/data/session.h"
#include "hpmviz/data/treestate.h"

/* Of what the session shows now; NULL where nothing is open. */
struct hpmviz_trees *hpmviz_trees_new(const HpmvizSession *session);
void hpmviz_trees_free(struct hpmviz_trees *trees);

/* Show callers, or call paths again: sections, each with what it was called from
 * below it.  All of their values are a section's own: a closed node has that of all
 * callers, an open one what is called from outside sections.  No path is selected
 * then. */
void hpmviz_trees_set_callers(struct hpmviz_trees *trees, gboolean has_callers);

/* How many nodes a tree has; each node's parent, which is a smaller one, or
 * HPMVIZ_NO_NODE.  For g_free. */
guint hpmviz_trees_shape(const struct hpmviz_trees *trees,
                         enum hpmviz_tree tree, guint **ret_parents);

/* Work out some of what is still pending; FALSE when nothing is. */
gboolean hpmviz_trees_work(struct hpmviz_trees *trees);

/* Work out all of the system, and nothing else. */
void hpmviz_trees_find_places(struct hpmviz_trees *trees);

/* Select a node; what depends on it becomes pending. */
void hpmviz_trees_choose(struct hpmviz_trees *trees, enum hpmviz_tree tree,
                         struct hpmviz_treechoice choice);

struct hpmviz_treevalue hpmviz_trees_value(const struct hpmviz_trees *trees,
                                           enum hpmviz_tree tree, guint node,
                                           gboolean is_open);

/* The largest amount of a closed node, whatever its sign, in the same tree; of the
 * metrics, which have different units, that of the node's hierarchy. */
double hpmviz_trees_largest(const struct hpmviz_trees *trees,
                            enum hpmviz_tree tree, guint node);

/* The quantity whose values a node has; HPM_NO_QUANTITY for none. */
size_t hpmviz_trees_quantity(const struct hpmviz_trees *trees,
                             enum hpmviz_tree tree, guint node);

/* Append the node's name as files have it. */
void hpmviz_trees_add_label(const struct hpmviz_trees *trees,
                            enum hpmviz_tree tree, guint node,
                            struct hpm_string *text);

/* Append a number as its quantity is shown, with its marks, or the word for why
 * there is none. */
void hpmviz_trees_add_text(const struct hpmviz_trees *trees, size_t quantity,
                           const struct hpmviz_treevalue *value,
                           struct hpm_string *text);

#endif
