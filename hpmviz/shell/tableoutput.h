/* SPDX-License-Identifier: BSD-3-Clause
 * A table of a window, drawn as it stands there. */
#ifndef HPMVIZ_SHELL_TABLEOUTPUT_H
#define HPMVIZ_SHELL_TABLEOUTPUT_H

#include <gtk/gtk.h>

#include "hpmviz/shell/drawing.h"

/* Draw a heading, and below it the rows and visible columns of these views, which
 * are of one model, in their order: columns of texts first.  What is beyond a
 * thousand rows is counted. */
struct hpmviz_drawing *hpmviz_tableoutput_draw(const char *heading,
                                               GtkTreeView *const *views,
                                               guint n_views, gboolean is_dark);

#endif
