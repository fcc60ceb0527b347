/* SPDX-License-Identifier: BSD-3-Clause
 * The sentence about kinds of threads. */
#include "hpmviz/kinds/kindsline.h"

#include <glib/gi18n.h>

#include "hpmviz/widgets/safetext.h"

static const char session_key[] = "hpmviz-session";

static void
show(GtkLabel *label)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(label), session_key);
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);
    const char *kinds =
        loaded != NULL && loaded->kinds != NULL ? loaded->kinds : "";
    char *line = hpmviz_safe_line(kinds);

    gtk_label_set_text(label, line);
    gtk_widget_set_visible(GTK_WIDGET(label), *line != '\0');
    g_free(line);
}

GtkWidget *
hpmviz_kindsline_new(HpmvizSession *session)
{
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    g_object_set(label, "margin", 6, NULL);
    atk_object_set_name(gtk_widget_get_accessible(label),
                        _("kinds of threads"));
    g_object_set_data_full(G_OBJECT(label), session_key, g_object_ref(session),
                           g_object_unref);
    g_signal_connect_object(session, "loaded", G_CALLBACK(show), label,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "surveyed", G_CALLBACK(show), label,
                            G_CONNECT_SWAPPED);
    show(GTK_LABEL(label));
    return label;
}
