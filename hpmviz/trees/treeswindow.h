/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics, call paths and system side by side, as linked trees. */
#ifndef HPMVIZ_TREES_TREESWINDOW_H
#define HPMVIZ_TREES_TREESWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"
#include "hpmviz/data/trees.h"

#define HPMVIZ_TYPE_TREESWINDOW (hpmviz_treeswindow_get_type())
G_DECLARE_FINAL_TYPE(HpmvizTreeswindow, hpmviz_treeswindow, HPMVIZ, TREESWINDOW,
                     GtkWindow)

/* Signal "print": the user wants what is shown on paper. */

/* It shows what the session selects, and changes that: metric, section, place. */
GtkWidget *hpmviz_treeswindow_new(HpmvizSession *session, GtkWindow *parent);

/* What is shown, for as long as it is; NULL for nothing, or while values are worked
 * out. */
const struct hpmviz_trees *
hpmviz_treeswindow_trees(const HpmvizTreeswindow *window);

#endif
