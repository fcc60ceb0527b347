/* SPDX-License-Identifier: BSD-3-Clause
 * Ways through one of the linked trees: to where most is, and to a name. */
#ifndef HPMVIZ_DATA_TREEWALK_H
#define HPMVIZ_DATA_TREEWALK_H

#include "hpmviz/data/trees.h"

/* The nodes to be opened so that most of a value is seen, from the outermost on,
 * and last where the way ends: from `from` (HPMVIZ_NO_NODE: the largest of the
 * topmost nodes) to the child with the largest value, as long as that is more
 * than the node's own value.  guint, empty where nothing has a value. */
GArray *hpmviz_treewalk_hottest(const struct hpmviz_trees *trees,
                                enum hpmviz_tree tree, guint from);

/* A node, and how many nodes are above it. */
struct hpmviz_treestep {
    guint node, depth;
};

/* All nodes as a tree shows them when all are open: struct hpmviz_treestep, each
 * before those below it. */
GArray *hpmviz_treewalk_all(const struct hpmviz_trees *trees,
                            enum hpmviz_tree tree);

/* The next node after `from` whose name has these letters in it, whatever their
 * case, from the first one again behind the last; HPMVIZ_NO_NODE for none. */
guint hpmviz_treewalk_find(const struct hpmviz_trees *trees,
                           enum hpmviz_tree tree, guint from,
                           const char *letters);

#endif
