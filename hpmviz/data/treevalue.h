/* SPDX-License-Identifier: BSD-3-Clause
 * What a node of the metrics has in some rows: of a call path, of a thread, of a
 * node of the machine. */
#ifndef HPMVIZ_DATA_TREEVALUE_H
#define HPMVIZ_DATA_TREEVALUE_H

#include "hpmviz/data/treestate.h"

/* The figures of the rows: of a subject, or by quantity. */
struct hpmviz_figures {
    const struct hpm_subject *subject; /* or NULL */
    const struct hpm_figure *all;      /* then: by quantity, or NULL */
};

/* A value that nobody has asked for. */
struct hpmviz_treevalue hpmviz_treevalue_none(void);

/* Of a metric, which is open or not, on a call path, which is open or not. */
struct hpmviz_treevalue hpmviz_treevalue_find(const struct hpmviz_trees *trees,
                                              struct hpmviz_treechoice metric,
                                              gboolean is_own,
                                              struct hpmviz_figures figures);

/* Of the selected metric on a call path, a subject of the survey; `is_own`: without
 * the paths in it. */
struct hpmviz_treevalue
hpmviz_treevalue_of_path(const struct hpmviz_trees *trees, guint subject,
                         gboolean is_own);

/* Append why there is no number; nothing where there is one. */
void hpmviz_treevalue_add_reason(const struct hpmviz_treevalue *value,
                                 struct hpm_string *text);

/* Add a value to a sum, which has no number where one of its values has none, as in
 * reports; what nobody asked for does not count. */
void hpmviz_treevalue_add(struct hpmviz_treevalue *sum,
                          const struct hpmviz_treevalue *value);

/* Take the value of a part off that of an open node, which is then too large where
 * the part has no number: it is marked so. */
void hpmviz_treevalue_subtract(struct hpmviz_treevalue *whole,
                               const struct hpmviz_treevalue *part);

#endif
