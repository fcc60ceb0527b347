/* SPDX-License-Identifier: BSD-3-Clause
 * Escape closes a window. */
#include "hpmviz/widgets/escape.h"

static gboolean
on_key(GtkWidget *window, GdkEventKey *event)
{
    if (event->keyval != GDK_KEY_Escape)
        return FALSE;
    gtk_window_close(GTK_WINDOW(window));
    return TRUE;
}

void
hpmviz_escape_closes(GtkWidget *window)
{
    g_signal_connect(window, "key-press-event", G_CALLBACK(on_key), NULL);
}
