/* SPDX-License-Identifier: BSD-3-Clause
 * The linked trees as text for other programs, and for people. */
#ifndef HPMVIZ_DATA_TREESEXPORT_H
#define HPMVIZ_DATA_TREESEXPORT_H

#include "hpmviz/data/trees.h"

struct hpmviz_treesexport;

/* As CSV, in full precision: a line for each node of the metrics, for each call
 * path, and, when it has begun, for each node of the system on a call path; "all"
 * with what is inside, "own" without.  `trees` must have worked out all, and stay
 * so until the end. */
struct hpmviz_treesexport *
hpmviz_treesexport_new(const struct hpmviz_trees *trees);

/* Add the lines of at most so many nodes; FALSE when all are there, of metrics and
 * call paths, or of the system once it has begun. */
gboolean hpmviz_treesexport_work(struct hpmviz_treesexport *export, guint most);

/* Begin with the system, of the metric and call path that are selected in the
 * trees; again for another selection. */
void hpmviz_treesexport_begin_system(struct hpmviz_treesexport *export);

/* All of the text, for g_free, NULL if there was no memory; frees the export. */
char *hpmviz_treesexport_finish(struct hpmviz_treesexport *export);

/* The same of every call path; the trees work, and choose, meanwhile. */
void hpmviz_treesexport_add_csv(struct hpmviz_trees *trees,
                                struct hpm_string *csv);

/* A line for each node of each tree, indented, with the value of a closed one. */
void hpmviz_treesexport_add_text(const struct hpmviz_trees *trees,
                                 struct hpm_string *text);

#endif
