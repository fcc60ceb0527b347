/* SPDX-License-Identifier: BSD-3-Clause
 * The linked trees as text for other programs, and for people. */
#ifndef HPMVIZ_DATA_TREESEXPORT_H
#define HPMVIZ_DATA_TREESEXPORT_H

#include "hpmviz/data/trees.h"

struct hpmviz_treesexport;

/* As CSV, in full precision: a line for each node of the metrics, for each call
 * path, and, of those that are added, for each node of the system on a call path;
 * "all" with what is inside, "own" without.  `trees` must have worked out all. */
struct hpmviz_treesexport *
hpmviz_treesexport_new(const struct hpmviz_trees *trees);

/* Add the system, of the metric and call path that are selected in the trees. */
void hpmviz_treesexport_add_system(struct hpmviz_treesexport *export);

/* Append all and free it. */
void hpmviz_treesexport_finish(struct hpmviz_treesexport *export,
                               struct hpm_string *csv);

/* The same of every call path; the trees work, and choose, meanwhile. */
void hpmviz_treesexport_add_csv(struct hpmviz_trees *trees,
                                struct hpm_string *csv);

/* A line for each node of each tree, indented, with the value of a closed one. */
void hpmviz_treesexport_add_text(const struct hpmviz_trees *trees,
                                 struct hpm_string *text);

#endif
