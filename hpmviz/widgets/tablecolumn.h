/* SPDX-License-Identifier: BSD-3-Clause
 * A column of a table of numbers: heading with unit, cells as wide as what is
 * in them. */
#ifndef HPMVIZ_WIDGETS_TABLECOLUMN_H
#define HPMVIZ_WIDGETS_TABLECOLUMN_H

#include <gtk/gtk.h>

#include "hpmviz/widgets/cell.h"

/* A column whose cells are HpmvizCells, of fixed sizing, clickable; `index` is
 * the caller's.  The title is shown as it is; unit and tooltip may be NULL. */
GtkTreeViewColumn *hpmviz_tablecolumn_new(guint index, const char *title,
                                          const char *unit, const char *tooltip,
                                          float xalign);
guint hpmviz_tablecolumn_index(GtkTreeViewColumn *column);
HpmvizCell *hpmviz_tablecolumn_cell(GtkTreeViewColumn *column);

/* Make it as wide as its heading and the widest of these texts, which ends with
 * NULL, in the widget's font, but not wider than so many digits. */
void hpmviz_tablecolumn_fit(GtkTreeViewColumn *column, GtkWidget *widget,
                            const char *const *texts, int most_digits);

/* Give all columns of a view the same row height: that of a line of text with
 * glyphs. */
void hpmviz_tablecolumn_set_heights(GtkTreeView *view);

/* Show in the headings which column orders the rows; NULL for none. */
void hpmviz_tablecolumn_show_order(GtkTreeView *view,
                                   const GtkTreeViewColumn *by,
                                   gboolean is_rising);

#endif
