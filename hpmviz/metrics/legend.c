/* SPDX-License-Identifier: BSD-3-Clause
 * What colours, glyphs and letters in a table of metrics mean. */
#include "hpmviz/metrics/legend.h"

#include <glib/gi18n.h>

#include "hpmviz/widgets/cell.h"

struct _HpmvizLegend {
    GtkBox parent_instance;
    HpmvizSession *session;
    GtkWidget *bad_label, *good_label, *plain_button;
    enum hpmviz_palette coloured; /* the last one that has colours */
    gboolean is_updating;
};

G_DEFINE_TYPE(HpmvizLegend, hpmviz_legend, GTK_TYPE_BOX)

static void
show_sign(HpmvizLegend *legend, GtkWidget *label, const char *word,
          enum hpm_verdict verdict)
{
    const struct hpmviz_colours *colours = hpmviz_palette_colours(
        hpmviz_session_view(legend->session)->palette,
        hpmviz_cell_is_dark(GTK_WIDGET(legend)), verdict);
    char *text = g_markup_printf_escaped("\u2002%s %s\u2002",
                                         hpmviz_verdict_glyph(verdict), word);

    if (colours->background != NULL) {
        char *markup =
            g_strdup_printf("<span background='%s' foreground='%s'>%s</span>",
                            colours->background, colours->text, text);

        gtk_label_set_markup(GTK_LABEL(label), markup);
        g_free(markup);
    } else {
        gtk_label_set_markup(GTK_LABEL(label), text);
    }
    g_free(text);
}

static void
show(HpmvizLegend *legend)
{
    enum hpmviz_palette palette;

    if (legend->session == NULL)
        return;
    palette = hpmviz_session_view(legend->session)->palette;
    if (palette != HPMVIZ_PALETTE_PLAIN)
        legend->coloured = palette;
    legend->is_updating = TRUE;
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(legend->plain_button),
                                 palette == HPMVIZ_PALETTE_PLAIN);
    legend->is_updating = FALSE;
    show_sign(legend, legend->bad_label, _("bad"), HPM_VERDICT_BAD);
    show_sign(legend, legend->good_label, _("good"), HPM_VERDICT_GOOD);
}

static void
on_plain(GtkToggleButton *button, gpointer data)
{
    HpmvizLegend *legend = data;
    struct hpmviz_view view;

    if (legend->is_updating || legend->session == NULL)
        return;
    view = *hpmviz_session_view(legend->session);
    view.palette = gtk_toggle_button_get_active(button) ? HPMVIZ_PALETTE_PLAIN
                                                        : legend->coloured;
    hpmviz_session_set_view(legend->session, &view);
}

/* The theme may be a dark one now. */
static void
on_style(gpointer data)
{
    show(data);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    g_clear_object(&HPMVIZ_LEGEND(object)->session);
    G_OBJECT_CLASS(hpmviz_legend_parent_class)->dispose(object);
}

static void
hpmviz_legend_class_init(HpmvizLegendClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/legend.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizLegend, bad_label);
    gtk_widget_class_bind_template_child(widget, HpmvizLegend, good_label);
    gtk_widget_class_bind_template_child(widget, HpmvizLegend, plain_button);
    gtk_widget_class_bind_template_callback(widget, on_plain);
    gtk_widget_class_bind_template_callback(widget, on_style);
}

static void
hpmviz_legend_init(HpmvizLegend *legend)
{
    gtk_widget_init_template(GTK_WIDGET(legend));
}

GtkWidget *
hpmviz_legend_new(HpmvizSession *session)
{
    HpmvizLegend *legend = g_object_new(HPMVIZ_TYPE_LEGEND, NULL);

    legend->session = g_object_ref(session);
    g_signal_connect_object(session, "viewed", G_CALLBACK(show), legend,
                            G_CONNECT_SWAPPED);
    show(legend);
    return GTK_WIDGET(legend);
}
