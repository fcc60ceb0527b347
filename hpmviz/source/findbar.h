/* SPDX-License-Identifier: BSD-3-Clause
 * Finding text in a source: a bar with what to find and how. */
#ifndef HPMVIZ_SOURCE_FINDBAR_H
#define HPMVIZ_SOURCE_FINDBAR_H

#include <gtksourceview/gtksource.h>

#define HPMVIZ_TYPE_FINDBAR (hpmviz_findbar_get_type())
G_DECLARE_FINAL_TYPE(HpmvizFindbar, hpmviz_findbar, HPMVIZ, FINDBAR, GtkBox)

/* Find in this view from now on; NULL for none.  Borrowed until the next. */
void hpmviz_findbar_set_view(HpmvizFindbar *bar, GtkSourceView *view);

/* Show the bar, with the text that is selected if that is in one line. */
void hpmviz_findbar_open(HpmvizFindbar *bar);

/* Select the next place, or the one before, around the end of the text. */
void hpmviz_findbar_step(HpmvizFindbar *bar, gboolean is_forward);

#endif
