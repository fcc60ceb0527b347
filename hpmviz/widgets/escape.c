/* SPDX-License-Identifier: BSD-3-Clause
 * Escape, Ctrl+W and Ctrl+Q in a window beside the main one.  Keys of the
 * application work in its own windows alone, which these are not. */
#include "hpmviz/widgets/escape.h"

static void
quit(GtkWindow *window)
{
    GtkWindow *main_window = gtk_window_get_transient_for(window);
    GtkApplication *application =
        gtk_window_get_application(main_window != NULL ? main_window : window);

    if (application != NULL)
        g_action_group_activate_action(G_ACTION_GROUP(application), "quit",
                                       NULL);
}

static gboolean
on_key(GtkWidget *window, GdkEventKey *event)
{
    GdkModifierType held =
        event->state & gtk_accelerator_get_default_mod_mask();
    guint key = gdk_keyval_to_lower(event->keyval);

    if (key == GDK_KEY_Escape || (held == GDK_CONTROL_MASK && key == GDK_KEY_w))
        gtk_window_close(GTK_WINDOW(window));
    else if (held == GDK_CONTROL_MASK && key == GDK_KEY_q)
        quit(GTK_WINDOW(window));
    else
        return FALSE;
    return TRUE;
}

void
hpmviz_escape_closes(GtkWidget *window)
{
    g_signal_connect(window, "key-press-event", G_CALLBACK(on_key), NULL);
}
