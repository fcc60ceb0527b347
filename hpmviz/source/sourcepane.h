/* SPDX-License-Identifier: BSD-3-Clause
 * The source files of the sections, a page each: the right pane. */
#ifndef HPMVIZ_SOURCE_SOURCEPANE_H
#define HPMVIZ_SOURCE_SOURCEPANE_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"
#include "hpmviz/source/sourcetab.h"

#define HPMVIZ_TYPE_SOURCEPANE (hpmviz_sourcepane_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSourcepane, hpmviz_sourcepane, HPMVIZ, SOURCEPANE,
                     GtkBox)

/* Signal "updated": another page is shown, or its text was changed, saved,
 * undone, or there are other places to go back or forward to: what follows may
 * be otherwise. */
gboolean hpmviz_sourcepane_has_page(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_has_file(HpmvizSourcepane *pane); /* on the page */
gboolean hpmviz_sourcepane_is_page_modified(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_can_undo(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_can_redo(HpmvizSourcepane *pane);
gboolean hpmviz_sourcepane_can_travel(HpmvizSourcepane *pane, int by);

/* The page shown; NULL for none. */
HpmvizSourcetab *hpmviz_sourcepane_tab(HpmvizSourcepane *pane);

/* The recorded names of the files on the pages, the one shown last, for
 * g_strfreev; and pages for such names, which selects nothing. */
char **hpmviz_sourcepane_pages(HpmvizSourcepane *pane);
void hpmviz_sourcepane_add_pages(HpmvizSourcepane *pane, char *const *recorded);

/* Shows the source of the section that is selected in the session; the caret in
 * another section selects that. */
GtkWidget *hpmviz_sourcepane_new(HpmvizSession *session);

/* Give the text the focus. */
void hpmviz_sourcepane_focus(HpmvizSourcepane *pane);

/* Open the bar to find text with; the next place, or the one before. */
void hpmviz_sourcepane_find(HpmvizSourcepane *pane);
void hpmviz_sourcepane_find_next(HpmvizSourcepane *pane, gboolean is_forward);

/* A line of a file, by a name that may be another one than the sections have. */
void hpmviz_sourcepane_show_line(HpmvizSourcepane *pane, const char *file,
                                 int line);

/* A line of the page shown, as it is numbered there; how many there are. */
void hpmviz_sourcepane_go_to(HpmvizSourcepane *pane, int line);
int hpmviz_sourcepane_n_lines(HpmvizSourcepane *pane);

void hpmviz_sourcepane_undo(HpmvizSourcepane *pane);
void hpmviz_sourcepane_redo(HpmvizSourcepane *pane);

/* Select the section with the next smaller (by > 0) or larger exclusive time.
 */
void hpmviz_sourcepane_step(HpmvizSourcepane *pane, int by);

/* Go to the line of the page with the next fewer samples (by > 0), or more; and has
 * the page lines with samples? */
void hpmviz_sourcepane_step_line(HpmvizSourcepane *pane, int by);
gboolean hpmviz_sourcepane_has_samples(HpmvizSourcepane *pane);

/* To the place one was at before, or after (by > 0). */
void hpmviz_sourcepane_travel(HpmvizSourcepane *pane, int by);

/* Save the page shown, or all that were changed; tell when all of these are saved,
 * or one was not. */
void hpmviz_sourcepane_save(HpmvizSourcepane *pane);
void hpmviz_sourcepane_save_all(HpmvizSourcepane *pane,
                                hpmviz_saving_done *done, gpointer data);

/* Is one just being saved?  Tell when all of these are, or one was not. */
gboolean hpmviz_sourcepane_is_saving(HpmvizSourcepane *pane);
void hpmviz_sourcepane_settle(HpmvizSourcepane *pane, hpmviz_saving_done *done,
                              gpointer data);
gboolean hpmviz_sourcepane_is_modified(HpmvizSourcepane *pane);

/* Ask for a name, and save the page shown as that. */
void hpmviz_sourcepane_save_as(HpmvizSourcepane *pane);

/* The files it is, one a line, safe to be shown; for g_free. */
char *hpmviz_sourcepane_modified_names(HpmvizSourcepane *pane);

/* The user does not want what was edited: nothing of it is kept. */
void hpmviz_sourcepane_forget_all(HpmvizSourcepane *pane);

/* Close the page shown; asks where it is modified. */
void hpmviz_sourcepane_close(HpmvizSourcepane *pane);

/* Open the file shown at the caret's line in the user's editor. */
void hpmviz_sourcepane_open_editor(HpmvizSourcepane *pane);

#endif
