/* SPDX-License-Identifier: BSD-3-Clause
 * Asking for files: a dialog that is shown, and an answer that comes later. */
#ifndef HPMVIZ_WIDGETS_FILECHOOSER_H
#define HPMVIZ_WIDGETS_FILECHOOSER_H

#include <gtk/gtk.h>

/* The names the user has chosen, ended by NULL; borrowed. */
typedef void hpmviz_filechooser_chosen(char *const *names, gpointer data);

/* Show the dialog, which is modal, and call `chosen` when the user has chosen
 * something; not when the user cancels, and not once `owner` is gone, with which
 * the dialog goes.  Takes the dialog. */
void hpmviz_filechooser_ask(GtkFileChooserNative *dialog, GObject *owner,
                            hpmviz_filechooser_chosen *chosen, gpointer data);

#endif
