/* SPDX-License-Identifier: BSD-3-Clause
 * The main window: sections, their source, and what can be done with them. */
#ifndef HPMVIZ_SHELL_WINDOW_H
#define HPMVIZ_SHELL_WINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_WINDOW (hpmviz_window_get_type())
G_DECLARE_FINAL_TYPE(HpmvizWindow, hpmviz_window, HPMVIZ, WINDOW,
                     GtkApplicationWindow)

GtkWidget *hpmviz_window_new(GtkApplication *application,
                             HpmvizSession *session);

/* Open again what was open the last time, with its section and sources; nothing
 * where that is not wanted. */
void hpmviz_window_open_last(HpmvizWindow *window);

#endif
