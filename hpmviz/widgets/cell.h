/* SPDX-License-Identifier: BSD-3-Clause
 * A cell of a table: text, maybe with a bar that shows a share, or the
 * colour of a verdict, which stays when the row is selected.
 */
#ifndef HPMVIZ_WIDGETS_CELL_H
#define HPMVIZ_WIDGETS_CELL_H

#include <gtk/gtk.h>

#include "hpmviz/data/palette.h"

#define HPMVIZ_TYPE_CELL (hpmviz_cell_get_type())
G_DECLARE_FINAL_TYPE(HpmvizCell, hpmviz_cell, HPMVIZ, CELL, GtkCellRendererText)

GtkCellRenderer *hpmviz_cell_new(void);

/* Draw a bar of this part of the cell's width, 0 to 1, below the text; NAN for
 * none. */
void hpmviz_cell_set_share(HpmvizCell *cell, double share);

/* The same by a verdict and a palette, for a light theme or a dark one,
 * whichever the widget has; before the text comes the verdict's glyph. */
void hpmviz_cell_set_verdict(HpmvizCell *cell, GtkWidget *widget,
                             enum hpmviz_palette palette,
                             enum hpm_verdict verdict, const char *text);

/* FALSE: it has no colour of a verdict. */
gboolean hpmviz_cell_get_background(const HpmvizCell *cell,
                                    GdkRGBA *ret_background);

/* Has the widget light text, and so a dark background? */
gboolean hpmviz_cell_is_dark(GtkWidget *widget);

/* Draw a frame: the cursor is here. */
void hpmviz_cell_set_current(HpmvizCell *cell, gboolean is_current);

/* What is to be said of the cell in the row at this place of the list, for
 * g_free, or NULL: its accessible description, asked for when somebody reads
 * it. */
typedef char *hpmviz_cell_describe(guint place, gpointer data);
void hpmviz_cell_set_describe(HpmvizCell *cell, hpmviz_cell_describe *describe,
                              gpointer data);

#endif
