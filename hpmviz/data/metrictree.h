/* SPDX-License-Identifier: BSD-3-Clause
 * What was counted, as a tree: time, calls, the hierarchies of the definitions,
 * then counters that no metric stands for. */
#ifndef HPMVIZ_DATA_METRICTREE_H
#define HPMVIZ_DATA_METRICTREE_H

#include <glib.h>

#include "study/survey/survey.h"

#define HPMVIZ_NO_NODE G_MAXUINT

struct hpmviz_metricnode {
    size_t quantity;    /* of time the inclusive one, if there is one */
    size_t own;         /* of time the exclusive one, else HPM_NO_QUANTITY */
    guint parent;       /* or HPMVIZ_NO_NODE; before its parts in nodes[] */
    gboolean is_amount; /* has a sum: neither a ratio nor a maximum */
    gboolean is_part;   /* adds to the amount of its parent */
};

struct hpmviz_metrictree {
    struct hpmviz_metricnode *nodes;
    guint n;
};

/* The quantities that any section of the scope has.  A metric that has
 * the name of the counter which it measures is there in place of the counter. */
struct hpmviz_metrictree *hpmviz_metrictree_new(const struct hpm_survey *survey,
                                                int scope);
void hpmviz_metrictree_free(struct hpmviz_metrictree *tree);

/* The node that shows a quantity, or the metric in place of a counter;
 * HPMVIZ_NO_NODE for none. */
guint hpmviz_metrictree_find(const struct hpmviz_metrictree *tree,
                             const struct hpm_survey *survey, size_t quantity);

/* The topmost node whose amount contains that of this one. */
guint hpmviz_metrictree_root(const struct hpmviz_metrictree *tree, guint node);

#endif
