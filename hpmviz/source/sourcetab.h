/* SPDX-License-Identifier: BSD-3-Clause
 * One source file, shown and edited: a page of the source pane. */
#ifndef HPMVIZ_SOURCE_SOURCETAB_H
#define HPMVIZ_SOURCE_SOURCETAB_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/data/session.h"
#include "hpmviz/source/saving.h"

#define HPMVIZ_TYPE_SOURCETAB (hpmviz_sourcetab_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSourcetab, hpmviz_sourcetab, HPMVIZ, SOURCETAB,
                     GtkBox)

/* Signals:
 *   "titled"    the text was changed or saved, or is of another file
 *   "located"   the user said where sources are: others may be found now, too
 *   "moved"     the caret is in another line
 */

/* A page for a file by its recorded name.  Where it cannot be shown the page
 * says why and how it can be. */
GtkWidget *hpmviz_sourcetab_new(HpmvizSession *session, const char *recorded);

/* Try again to find the file, if it was not found. */
void hpmviz_sourcetab_retry(HpmvizSourcetab *tab);

const char *hpmviz_sourcetab_recorded(const HpmvizSourcetab *tab);

/* What it is called by, with folders. */
const char *hpmviz_sourcetab_name(const HpmvizSourcetab *tab);

/* As much of its name as tells it from the names of all pages (char *), a dot
 * before it while changes are not saved; for g_free. */
char *hpmviz_sourcetab_title(const HpmvizSourcetab *tab,
                             const GPtrArray *names);

/* Show the section that is selected: its first line a third from the top, with
 * the caret there, wherever it is now. */
void hpmviz_sourcetab_show_section(HpmvizSourcetab *tab);

/* The same section is selected, and the caret stays: mark its lines. */
void hpmviz_sourcetab_mark_section(HpmvizSourcetab *tab);

/* Show a line as it is numbered now. */
void hpmviz_sourcetab_go_to(HpmvizSourcetab *tab, int line);

/* Go to the line with the next fewer samples (by > 0), or more, than the caret's; and
 * has any line samples? */
void hpmviz_sourcetab_step_line(HpmvizSourcetab *tab, int by);
gboolean hpmviz_sourcetab_has_samples(const HpmvizSourcetab *tab);

/* The line of the caret now, and the section there, or HPM_NO_SUBJECT. */
int hpmviz_sourcetab_line(const HpmvizSourcetab *tab);
size_t hpmviz_sourcetab_subject(const HpmvizSourcetab *tab);

/* The sections have other shares, or are of another scope or run. */
void hpmviz_sourcetab_heat(HpmvizSourcetab *tab);

/* Save, see hpmviz_saving_save; the page says why not. */
void hpmviz_sourcetab_save(HpmvizSourcetab *tab, hpmviz_saving_done *done,
                           gpointer data);

/* Is it being saved?  Wait for the end, see hpmviz_saving_settle. */
gboolean hpmviz_sourcetab_is_saving(const HpmvizSourcetab *tab);
void hpmviz_sourcetab_settle(HpmvizSourcetab *tab, hpmviz_saving_done *done,
                             gpointer data);

/* Ask for a name, and save as that. */
void hpmviz_sourcetab_save_as(HpmvizSourcetab *tab);

/* Say what went wrong with this file. */
void hpmviz_sourcetab_tell(HpmvizSourcetab *tab, const char *sentence);

GtkSourceView *hpmviz_sourcetab_view(const HpmvizSourcetab *tab);
HpmvizDocument *hpmviz_sourcetab_document(const HpmvizSourcetab *tab);

#endif
