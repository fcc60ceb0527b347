/* SPDX-License-Identifier: BSD-3-Clause
 * One of the linked trees, with the values of its nodes. */
#ifndef HPMVIZ_TREES_TREEPANE_H
#define HPMVIZ_TREES_TREEPANE_H

#include <gtk/gtk.h>

#include "hpmviz/data/trees.h"

#define HPMVIZ_TYPE_TREEPANE (hpmviz_treepane_get_type())
G_DECLARE_FINAL_TYPE(HpmvizTreepane, hpmviz_treepane, HPMVIZ, TREEPANE, GtkBox)

/* Signal, without arguments: "chosen", when the user selects another node, or
 * opens or closes the selected one. */

GtkWidget *hpmviz_treepane_new(enum hpmviz_tree tree);

/* Show the tree of these, borrowed until others are set; NULL for none. */
void hpmviz_treepane_set(HpmvizTreepane *pane,
                         const struct hpmviz_trees *trees);

/* The values have changed. */
void hpmviz_treepane_redraw(HpmvizTreepane *pane);

/* Select a node, and open all above it; does not tell. */
void hpmviz_treepane_select(HpmvizTreepane *pane, guint node);

/* What is selected. */
struct hpmviz_treechoice hpmviz_treepane_choice(HpmvizTreepane *pane);

/* Open the way to where most is, from the selected node if that is closed and has
 * others below it, else from the top, and select its end. */
void hpmviz_treepane_open_hottest(HpmvizTreepane *pane);

void hpmviz_treepane_focus(HpmvizTreepane *pane);
void hpmviz_treepane_find(HpmvizTreepane *pane);
gboolean hpmviz_treepane_has_focus(HpmvizTreepane *pane);

#endif
