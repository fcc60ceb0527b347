/* SPDX-License-Identifier: BSD-3-Clause
 * Texts of a list that may be longer than their column is wide: the pointer on a row
 * shows them. */
#ifndef HPMVIZ_WIDGETS_ROWTIP_H
#define HPMVIZ_WIDGETS_ROWTIP_H

#include <gtk/gtk.h>

/* Columns of the model with texts, the second one below the first; -1: none. */
void hpmviz_rowtip_show(GtkTreeView *view, int first, int second);

#endif
