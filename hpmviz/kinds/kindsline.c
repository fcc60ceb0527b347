/* SPDX-License-Identifier: BSD-3-Clause
 * The sentence about kinds of threads. */
#include "hpmviz/kinds/kindsline.h"

#include <glib/gi18n.h>

#include "hpmviz/kinds/kindswindow.h"
#include "hpmviz/kinds/kindswords.h"

static const char session_key[] = "hpmviz-session", label_key[] = "label",
                  button_key[] = "button", window_key[] = "window";

static void
show(GtkWidget *line)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(line), session_key);
    GtkWidget *label = g_object_get_data(G_OBJECT(line), label_key);
    GtkWidget *button = g_object_get_data(G_OBJECT(line), button_key);
    const struct hpmviz_loaded *loaded =
        hpmviz_loaded_whole(hpmviz_session_loaded(session));
    gboolean has_pictures = FALSE;
    char *words = hpmviz_kindswords_line(loaded != NULL ? loaded->kinds : NULL);

    for (size_t i = 0; loaded != NULL && i < HPM_N_KINDPICTURES; i++)
        has_pictures |= loaded->pictures.all[i].n > 0;
    gtk_label_set_text(GTK_LABEL(label), words);
    gtk_widget_set_visible(label, *words != '\0');
    gtk_widget_set_visible(button, has_pictures);
    gtk_widget_set_visible(line, has_pictures || *words != '\0');
    g_free(words);
}

static void
open_pictures(GtkWidget *line)
{
    GtkWidget *window = g_object_get_data(G_OBJECT(line), window_key);

    if (window == NULL) {
        window = hpmviz_kindswindow_new(
            g_object_get_data(G_OBJECT(line), session_key),
            GTK_WINDOW(gtk_widget_get_toplevel(line)));
        g_signal_connect(window, "delete-event",
                         G_CALLBACK(gtk_widget_hide_on_delete), NULL);
        g_object_set_data(G_OBJECT(line), window_key, window);
    }
    gtk_window_present(GTK_WINDOW(window));
}

static GtkWidget *
new_label(void)
{
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    atk_object_set_name(gtk_widget_get_accessible(label),
                        _("kinds of threads"));
    return label;
}

static GtkWidget *
new_button(GtkWidget *line)
{
    GtkWidget *button = gtk_button_new_with_mnemonic(_("_Pictures"));

    gtk_button_set_relief(GTK_BUTTON(button), GTK_RELIEF_NONE);
    gtk_widget_set_valign(button, GTK_ALIGN_START);
    gtk_widget_set_tooltip_text(button, _("how threads differ, in pictures"));
    g_signal_connect_swapped(button, "clicked", G_CALLBACK(open_pictures),
                             line);
    return button;
}

GtkWidget *
hpmviz_kindsline_new(HpmvizSession *session)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *label = new_label(), *button = new_button(line);

    g_object_set(line, "margin", 6, NULL);
    gtk_box_pack_start(GTK_BOX(line), label, TRUE, TRUE, 0);
    gtk_box_pack_end(GTK_BOX(line), button, FALSE, FALSE, 0);
    g_object_set_data_full(G_OBJECT(line), session_key, g_object_ref(session),
                           g_object_unref);
    g_object_set_data(G_OBJECT(line), label_key, label);
    g_object_set_data(G_OBJECT(line), button_key, button);
    g_signal_connect_object(session, "loaded", G_CALLBACK(show), line,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "surveyed", G_CALLBACK(show), line,
                            G_CONNECT_SWAPPED);
    show(line);
    return line;
}
