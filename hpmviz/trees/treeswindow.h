/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics, call paths and system side by side, as linked trees. */
#ifndef HPMVIZ_TREES_TREESWINDOW_H
#define HPMVIZ_TREES_TREESWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_TREESWINDOW (hpmviz_treeswindow_get_type())
G_DECLARE_FINAL_TYPE(HpmvizTreeswindow, hpmviz_treeswindow, HPMVIZ, TREESWINDOW,
                     GtkWindow)

/* It shows what the session selects, and changes that: metric, section, place. */
GtkWidget *hpmviz_treeswindow_new(HpmvizSession *session, GtkWindow *parent);

#endif
