/* SPDX-License-Identifier: BSD-3-Clause
 * The source files of the sections, a page each: the right pane. */
#ifndef HPMVIZ_SOURCEPANE_H
#define HPMVIZ_SOURCEPANE_H

#include <gtk/gtk.h>

#include "hpmviz/session.h"

G_BEGIN_DECLS

#define HPMVIZ_TYPE_SOURCEPANE (hpmviz_sourcepane_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSourcepane, hpmviz_sourcepane, HPMVIZ, SOURCEPANE,
                     GtkBox)

/* Signal "updated": another page is shown, or its text was changed, saved,
 * undone: what follows may be otherwise. */
gboolean hpmviz_sourcepane_has_page(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_is_page_modified(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_can_undo(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_can_redo(HpmvizSourcepane *pane);

/* The recorded names of the files on the pages, the one shown last, for
 * g_strfreev; and pages for such names, which selects nothing. */
char **hpmviz_sourcepane_pages(HpmvizSourcepane *pane);
void hpmviz_sourcepane_add_pages(HpmvizSourcepane *pane, char *const *recorded);

/* Shows the source of the section that is selected in the session; the caret in
 * another section selects that. */
GtkWidget *hpmviz_sourcepane_new(HpmvizSession *session);

/* Give the text the focus. */
void hpmviz_sourcepane_focus(HpmvizSourcepane *pane);

/* Open the search bar. */
void hpmviz_sourcepane_find(HpmvizSourcepane *pane);
void hpmviz_sourcepane_find_next(HpmvizSourcepane *pane, gboolean is_forward);

void hpmviz_sourcepane_go_to(HpmvizSourcepane *pane, int line);
void hpmviz_sourcepane_undo(HpmvizSourcepane *pane);
void hpmviz_sourcepane_redo(HpmvizSourcepane *pane);

/* Save the page shown, or all that were changed.  FALSE when one was not. */
gboolean hpmviz_sourcepane_save(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_save_all(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_is_modified(HpmvizSourcepane *pane);

G_END_DECLS

#endif
