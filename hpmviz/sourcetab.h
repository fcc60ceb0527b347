/* SPDX-License-Identifier: BSD-3-Clause
 * One source file, shown and edited: a page of the source pane. */
#ifndef HPMVIZ_SOURCETAB_H
#define HPMVIZ_SOURCETAB_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/session.h"

G_BEGIN_DECLS

#define HPMVIZ_TYPE_SOURCETAB (hpmviz_sourcetab_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSourcetab, hpmviz_sourcetab, HPMVIZ, SOURCETAB,
                     GtkBox)

/* Signals:
 *   "titled"    the text was changed or saved, so the title is another
 *   "located"   the user found the file: what was recorded can be found now
 *   "moved"     the caret is in another line
 */

/* A page for a file by its recorded name.  Where it cannot be shown the page
 * says why and how it can be. */
GtkWidget *hpmviz_sourcetab_new(HpmvizSession *session, const char *recorded);

const char *hpmviz_sourcetab_recorded(const HpmvizSourcetab *tab);

/* The base name, "*" before it while changes are not saved; for g_free. */
char *hpmviz_sourcetab_title(const HpmvizSourcetab *tab);
gboolean hpmviz_sourcetab_is_modified(const HpmvizSourcetab *tab);

/* Show the line a third from the top, with the caret there; lines as they were
 * in the file that was opened, whatever has been edited since. */
void hpmviz_sourcetab_go_to(HpmvizSourcetab *tab, int line);

/* The line of the caret, as it was in that file. */
int hpmviz_sourcetab_line(const HpmvizSourcetab *tab);

/* The sections have other shares, or are of another scope. */
void hpmviz_sourcetab_heat(HpmvizSourcetab *tab);

/* Save; FALSE, and the page says why, when that fails or is to be asked. */
gboolean hpmviz_sourcetab_save(HpmvizSourcetab *tab);

GtkSourceView *hpmviz_sourcetab_view(const HpmvizSourcetab *tab);

G_END_DECLS

#endif
