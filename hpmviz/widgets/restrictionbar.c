/* SPDX-License-Identifier: BSD-3-Clause
 * That only a group of threads is shown. */
#include "hpmviz/widgets/restrictionbar.h"

#include <glib/gi18n.h>

#include "hpmviz/data/restriction.h"
#include "hpmviz/widgets/safetext.h"

static const char session_key[] = "hpmviz-session", label_key[] = "label";

static void
show(GtkWidget *bar)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(bar), session_key);
    GtkWidget *label = g_object_get_data(G_OBJECT(bar), label_key);
    char *sentence =
        hpmviz_restriction_sentence(hpmviz_session_loaded(session));

    if (sentence != NULL) {
        char *safe = hpmviz_safe_line(sentence);

        gtk_label_set_text(GTK_LABEL(label), safe);
        g_free(safe);
    }
    gtk_widget_set_visible(bar, sentence != NULL);
    g_free(sentence);
}

static void
lift(GtkWidget *bar)
{
    hpmviz_session_restrict(g_object_get_data(G_OBJECT(bar), session_key),
                            HPMVIZ_NO_GROUP);
}

GtkWidget *
hpmviz_restrictionbar_new(HpmvizSession *session)
{
    GtkWidget *bar = gtk_info_bar_new(), *label = gtk_label_new(NULL);

    gtk_info_bar_set_message_type(GTK_INFO_BAR(bar), GTK_MESSAGE_INFO);
    gtk_info_bar_add_button(GTK_INFO_BAR(bar), _("Show _all"), GTK_RESPONSE_OK);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_container_add(
        GTK_CONTAINER(gtk_info_bar_get_content_area(GTK_INFO_BAR(bar))), label);
    gtk_widget_show(label);
    g_object_set_data_full(G_OBJECT(bar), session_key, g_object_ref(session),
                           g_object_unref);
    g_object_set_data(G_OBJECT(bar), label_key, label);
    g_signal_connect(bar, "response", G_CALLBACK(lift), NULL);
    g_signal_connect_object(session, "loaded", G_CALLBACK(show), bar,
                            G_CONNECT_SWAPPED);
    gtk_widget_set_no_show_all(bar, TRUE);
    show(bar);
    return bar;
}
