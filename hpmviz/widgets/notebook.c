/* SPDX-License-Identifier: BSD-3-Clause
 * Notebooks whose pages may go while a screen reader listens.
 *
 * GTK 3 tells the reader of a page that goes after it has been taken out, and
 * asks for the state of its tab's label to do so; there being none it prints a
 * Gtk-CRITICAL (gtk_notebook_get_tab_label).  It does not ask where tabs are
 * not shown.
 */
#include "hpmviz/widgets/notebook.h"

static void
hide_tabs(GtkNotebook *notebook)
{
    gtk_notebook_set_show_tabs(notebook, FALSE);
}

void
hpmviz_notebook_prepare(GtkNotebook *notebook)
{
    g_signal_connect(notebook, "destroy", G_CALLBACK(hide_tabs), NULL);
}

void
hpmviz_notebook_close(GtkNotebook *notebook, GtkWidget *page)
{
    gtk_notebook_set_show_tabs(notebook, FALSE);
    gtk_widget_destroy(page);
    gtk_notebook_set_show_tabs(notebook, TRUE);
}
