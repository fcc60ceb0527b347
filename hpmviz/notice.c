/* SPDX-License-Identifier: BSD-3-Clause
 * A bar that says what is the matter. */
#include "hpmviz/notice.h"

#include <glib/gi18n.h>

#include "report/format.h"

struct _HpmvizNotice {
    GtkInfoBar parent_instance;
    GtkWidget *label;
    GSList *buttons; /* of the remedies; the bar has one of its own */
    const struct hpmviz_remedy *remedies;
    gpointer data;
};

G_DEFINE_TYPE(HpmvizNotice, hpmviz_notice, GTK_TYPE_INFO_BAR)

static void
respond(GtkInfoBar *bar, int response)
{
    HpmvizNotice *notice = HPMVIZ_NOTICE(bar);

    gtk_widget_hide(GTK_WIDGET(bar));
    if (response >= 0 && notice->remedies != NULL)
        notice->remedies[response].apply(notice->data);
}

static void
drop_buttons(HpmvizNotice *notice)
{
    for (GSList *at = notice->buttons; at != NULL; at = at->next)
        gtk_widget_destroy(at->data);
    g_clear_pointer(&notice->buttons, g_slist_free);
}

/* Names come from files: they are shown safely, and never as markup. */
void
hpmviz_notice_tell(HpmvizNotice *notice, GtkMessageType type,
                   const char *sentence, const struct hpmviz_remedy *remedies,
                   gpointer data)
{
    struct hpm_string safe = {0};

    hpm_text_add_safe(&safe, sentence);
    gtk_label_set_text(GTK_LABEL(notice->label), hpm_string_text(&safe));
    hpm_string_free(&safe);
    gtk_info_bar_set_message_type(GTK_INFO_BAR(notice), type);
    notice->remedies = remedies;
    notice->data = data;
    drop_buttons(notice);
    for (int i = 0; remedies != NULL && remedies[i].label != NULL; i++)
        notice->buttons = g_slist_prepend(
            notice->buttons, gtk_info_bar_add_button(GTK_INFO_BAR(notice),
                                                     _(remedies[i].label), i));
    gtk_widget_show(GTK_WIDGET(notice));
}

void
hpmviz_notice_hide(HpmvizNotice *notice)
{
    gtk_widget_hide(GTK_WIDGET(notice));
}

static void
finalize(GObject *object)
{
    g_slist_free(HPMVIZ_NOTICE(object)->buttons);
    G_OBJECT_CLASS(hpmviz_notice_parent_class)->finalize(object);
}

static void
hpmviz_notice_class_init(HpmvizNoticeClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
    GTK_INFO_BAR_CLASS(class)->response = respond;
}

static void
hpmviz_notice_init(HpmvizNotice *notice)
{
    GtkWidget *content = gtk_info_bar_get_content_area(GTK_INFO_BAR(notice));

    notice->label = gtk_label_new(NULL);
    gtk_label_set_line_wrap(GTK_LABEL(notice->label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(notice->label),
                                 PANGO_WRAP_WORD_CHAR);
    gtk_label_set_selectable(GTK_LABEL(notice->label), TRUE);
    gtk_label_set_xalign(GTK_LABEL(notice->label), 0);
    gtk_widget_show(notice->label);
    gtk_container_add(GTK_CONTAINER(content), notice->label);
    gtk_info_bar_set_show_close_button(GTK_INFO_BAR(notice), TRUE);
    gtk_widget_set_no_show_all(GTK_WIDGET(notice), TRUE);
}

GtkWidget *
hpmviz_notice_new(void)
{
    return g_object_new(HPMVIZ_TYPE_NOTICE, NULL);
}
