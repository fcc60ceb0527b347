/* SPDX-License-Identifier: BSD-3-Clause
 * A dialog that says what went wrong. */
#ifndef HPMVIZ_WIDGETS_ERRORDIALOG_H
#define HPMVIZ_WIDGETS_ERRORDIALOG_H

#include <gtk/gtk.h>

/* Show the sentence above the window until the user closes it; returns at once. */
void hpmviz_errordialog_show(GtkWindow *parent, const char *sentence);

/* For hpmviz_export_put_async, whose owner is a window: show there why nothing was
 * written, if so. */
void hpmviz_errordialog_on_written(GObject *window, GAsyncResult *result,
                                   gpointer unused);

#endif
