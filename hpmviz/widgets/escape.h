/* SPDX-License-Identifier: BSD-3-Clause
 * The keys that close a window beside the main one. */
#ifndef HPMVIZ_WIDGETS_ESCAPE_H
#define HPMVIZ_WIDGETS_ESCAPE_H

#include <gtk/gtk.h>

/* Escape and Ctrl+W close the window, Ctrl+Q ends the program, as it does in the main
 * window, to which it is transient.  Where a widget inside takes Escape itself, the
 * window stays. */
void hpmviz_escape_closes(GtkWidget *window);

#endif
