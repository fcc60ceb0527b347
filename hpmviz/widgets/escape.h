/* SPDX-License-Identifier: BSD-3-Clause
 * Escape closes a window. */
#ifndef HPMVIZ_WIDGETS_ESCAPE_H
#define HPMVIZ_WIDGETS_ESCAPE_H

#include <gtk/gtk.h>

/* Of a window beside the main one; where a widget inside takes the key itself, the
 * window stays. */
void hpmviz_escape_closes(GtkWidget *window);

#endif
