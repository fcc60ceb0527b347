/* SPDX-License-Identifier: BSD-3-Clause
 * A dialog that says what went wrong. */
#include "hpmviz/widgets/errordialog.h"

#include "hpmviz/data/export.h"

/* Without a nested main loop. */
void
hpmviz_errordialog_show(GtkWindow *parent, const char *sentence)
{
    GtkWidget *dialog = gtk_message_dialog_new(
        parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
        GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", sentence);

    g_signal_connect(dialog, "response", G_CALLBACK(gtk_widget_destroy), NULL);
    gtk_widget_show(dialog);
}

void
hpmviz_errordialog_on_written(GObject *window, GAsyncResult *result,
                              gpointer unused)
{
    g_autoptr(GError) error = NULL;

    (void)unused;
    if (!hpmviz_export_put_finish(result, &error) &&
        !gtk_widget_in_destruction(GTK_WIDGET(window)))
        hpmviz_errordialog_show(GTK_WINDOW(window), error->message);
}
