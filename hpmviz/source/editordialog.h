/* SPDX-License-Identifier: BSD-3-Clause
 * Running the user's editor, after its command was seen. */
#ifndef HPMVIZ_SOURCE_EDITORDIALOG_H
#define HPMVIZ_SOURCE_EDITORDIALOG_H

#include <gtk/gtk.h>

#include "hpmviz/data/preferences.h"
#include "hpmviz/source/document.h"

/* Open the document's file, as it is on disk, at the line in the user's editor,
 * if it is still beneath the folder it was opened beneath.  A command that was
 * not run before is shown first, and can be changed.  FALSE when the user does
 * not want that, or, with an error, when it cannot be started. */
gboolean hpmviz_editordialog_open(GtkWindow *parent,
                                  HpmvizPreferences *preferences,
                                  const HpmvizDocument *document, int line,
                                  GError **error);

#endif
