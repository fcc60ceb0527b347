/* SPDX-License-Identifier: BSD-3-Clause
 * A bar that says what is the matter. */
#include "hpmviz/widgets/notice.h"

#include <glib/gi18n.h>

#include "base/string.h"

struct _HpmvizNotice {
    GtkInfoBar parent_instance;
    GtkWidget *label;
    GtkWidget *buttons; /* of the remedies, in as many rows as they need */
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
on_button(GtkWidget *button, gpointer data)
{
    gpointer number = g_object_get_data(G_OBJECT(button), "number");

    gtk_info_bar_response(GTK_INFO_BAR(data), GPOINTER_TO_INT(number));
}

static void
add_button(HpmvizNotice *notice, const char *label, int number)
{
    GtkWidget *button = gtk_button_new_with_mnemonic(label);
    GtkWidget *child;

    g_object_set_data(G_OBJECT(button), "number", GINT_TO_POINTER(number));
    g_signal_connect(button, "clicked", G_CALLBACK(on_button), notice);
    gtk_container_add(GTK_CONTAINER(notice->buttons), button);
    child = gtk_widget_get_parent(button);
    gtk_widget_set_can_focus(child, FALSE);
    atk_object_set_role(gtk_widget_get_accessible(child), ATK_ROLE_FILLER);
    gtk_widget_show_all(child);
}

static void
set_buttons(HpmvizNotice *notice, const struct hpmviz_remedy *remedies)
{
    int n = 0;

    gtk_container_foreach(GTK_CONTAINER(notice->buttons),
                          (GtkCallback)(GCallback)gtk_widget_destroy, NULL);
    for (; remedies != NULL && remedies[n].label != NULL; n++)
        add_button(notice, _(remedies[n].label), n);
    gtk_widget_set_visible(notice->buttons, n > 0);
}

/* Names come from files: they are shown safely, and never as markup. */
void
hpmviz_notice_tell(HpmvizNotice *notice, GtkMessageType type,
                   const char *sentence, const struct hpmviz_remedy *remedies,
                   gpointer data)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, sentence);
    gtk_label_set_text(GTK_LABEL(notice->label), hpm_string_text(&safe));
    hpm_string_free(&safe);
    gtk_info_bar_set_message_type(GTK_INFO_BAR(notice), type);
    notice->remedies = remedies;
    notice->data = data;
    set_buttons(notice, remedies);
    gtk_widget_show(GTK_WIDGET(notice));
}

void
hpmviz_notice_hide(HpmvizNotice *notice)
{
    gtk_widget_hide(GTK_WIDGET(notice));
}

static void
name_button(GtkWidget *widget, gpointer data)
{
    (void)data;
    if (GTK_IS_BUTTON(widget))
        atk_object_set_name(gtk_widget_get_accessible(widget),
                            _("close the message"));
}

/* After the properties have their defaults. */
static void
constructed(GObject *object)
{
    GtkInfoBar *bar = GTK_INFO_BAR(object);
    GtkWidget *content = gtk_info_bar_get_content_area(bar);

    G_OBJECT_CLASS(hpmviz_notice_parent_class)->constructed(object);
    gtk_info_bar_set_show_close_button(bar, TRUE);
    gtk_container_forall(GTK_CONTAINER(gtk_widget_get_parent(content)),
                         name_button, NULL);
}

static void
hpmviz_notice_class_init(HpmvizNoticeClass *class)
{
    G_OBJECT_CLASS(class)->constructed = constructed;
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
    notice->buttons = gtk_flow_box_new();
    atk_object_set_role(gtk_widget_get_accessible(notice->buttons),
                        ATK_ROLE_FILLER); /* it is no table */
    gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(notice->buttons),
                                    GTK_SELECTION_NONE);
    gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(notice->buttons), 4);
    gtk_widget_set_halign(notice->buttons, GTK_ALIGN_FILL);
    gtk_orientable_set_orientation(GTK_ORIENTABLE(content),
                                   GTK_ORIENTATION_VERTICAL);
    gtk_container_add(GTK_CONTAINER(content), notice->label);
    gtk_container_add(GTK_CONTAINER(content), notice->buttons);
    gtk_widget_set_no_show_all(GTK_WIDGET(notice), TRUE);
}

GtkWidget *
hpmviz_notice_new(void)
{
    return g_object_new(HPMVIZ_TYPE_NOTICE, NULL);
}
