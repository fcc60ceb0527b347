/* SPDX-License-Identifier: BSD-3-Clause
 * The menu of a section in the list. */
#ifndef HPMVIZ_SECTIONS_SECTIONMENU_H
#define HPMVIZ_SECTIONS_SECTIONMENU_H

#include <gtk/gtk.h>

/* Open it where the event was, or, with no event, beside the row the cursor is
 * on.  It has actions "sections.copy", "sections.filter" and, of a tree,
 * "sections.expand" and "sections.collapse". */
void hpmviz_sectionmenu_open(GtkTreeView *view, gboolean is_tree,
                             const GdkEvent *event);

#endif
