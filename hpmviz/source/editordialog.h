/* SPDX-License-Identifier: BSD-3-Clause
 * Running the user's editor, after its command was seen. */
#ifndef HPMVIZ_SOURCE_EDITORDIALOG_H
#define HPMVIZ_SOURCE_EDITORDIALOG_H

#include <gtk/gtk.h>

#include "hpmviz/data/preferences.h"
#include "hpmviz/source/document.h"

/* Why the editor cannot be started, a sentence. */
typedef void hpmviz_editordialog_failed(const char *sentence, gpointer data);

/* Open the document's file, as it is on disk, at the line in the user's editor,
 * if it is still beneath the folder it was opened beneath.  A command that was
 * not run before is shown first, in a dialog that goes with its parent, and can
 * be changed or cancelled. */
void hpmviz_editordialog_open(GtkWindow *parent, HpmvizPreferences *preferences,
                              HpmvizDocument *document, int line,
                              hpmviz_editordialog_failed *failed,
                              gpointer data);

#endif
