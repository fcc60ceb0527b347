/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of a table: which are shown, in what order and how wide, chosen
 * by the user and remembered.
 */
#ifndef HPMVIZ_WIDGETS_COLUMNS_H
#define HPMVIZ_WIDGETS_COLUMNS_H

#include <gtk/gtk.h>

#include "hpmviz/data/preferences.h"

/* What a column is remembered by; its title unless this is set.  A title that
 * is translated is no good name. */
void hpmviz_columns_set_name(GtkTreeViewColumn *column, const char *name);

/* To be called when the columns have been added: makes them what is remembered
 * under this group, remembers what the user makes of them from now on, and lets
 * a right click or the menu key on a heading open the chooser.  What is
 * remembered of columns that are not here stays.  May be called again when
 * there are others. */
void hpmviz_columns_remember(GtkTreeView *view, HpmvizPreferences *preferences,
                             const char *group);

/* To be called before columns are taken away or added by the program: until
 * hpmviz_columns_remember is called again no order and no width is the user's.
 */
void hpmviz_columns_hold(GtkTreeView *view);

/* Show a column or not because the user wants it: remembered. */
void hpmviz_columns_show(GtkTreeView *view, GtkTreeViewColumn *column,
                         gboolean is_shown);

/* A width that fits what is in the column, unless the user has set one. */
void hpmviz_columns_fit(GtkTreeView *view, GtkTreeViewColumn *column,
                        int width);

/* Order, widths and columns as they were before anything was remembered. */
void hpmviz_columns_reset(GtkTreeView *view);

/* A dialog with a box to check for each column. */
void hpmviz_columns_choose(GtkTreeView *view);

#endif
