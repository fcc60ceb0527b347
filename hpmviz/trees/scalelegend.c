/* SPDX-License-Identifier: BSD-3-Clause
 * The colours of the linked trees, from nothing to all. */
#include "hpmviz/trees/scalelegend.h"

#include <glib/gi18n.h>

#include "hpmviz/data/treeshare.h"
#include "hpmviz/widgets/cell.h"

static const char signed_key[] = "hpmviz-signed", area_key[] = "hpmviz-area",
                  least_key[] = "hpmviz-least", words_key[] = "hpmviz-words";

enum { STEP_WIDTH = 18, HEIGHT = 14 };

static gboolean
is_signed(GtkWidget *legend)
{
    return g_object_get_data(G_OBJECT(legend), signed_key) != NULL;
}

static void
paint_step(cairo_t *cairo, double x, const char *name)
{
    GdkRGBA colour;

    gdk_rgba_parse(&colour, name);
    gdk_cairo_set_source_rgba(cairo, &colour);
    cairo_rectangle(cairo, x, 0, STEP_WIDTH, HEIGHT);
    cairo_fill(cairo);
}

static gboolean
paint(GtkWidget *area, cairo_t *cairo, gpointer legend)
{
    gboolean is_dark = hpmviz_cell_is_dark(area);
    double x = 0.0;

    for (int i = HPMVIZ_TREESHARE_STEPS; is_signed(legend) && i-- > 0;
         x += STEP_WIDTH)
        paint_step(cairo, x, hpmviz_treeshare_step((guint)i, TRUE, is_dark));
    for (guint i = 0; i < HPMVIZ_TREESHARE_STEPS; i++, x += STEP_WIDTH)
        paint_step(cairo, x, hpmviz_treeshare_step(i, FALSE, is_dark));
    return TRUE;
}

void
hpmviz_scalelegend_set(GtkWidget *legend, gboolean is_change)
{
    GtkWidget *area = g_object_get_data(G_OBJECT(legend), area_key);
    GtkLabel *least = g_object_get_data(G_OBJECT(legend), least_key);
    GtkLabel *words = g_object_get_data(G_OBJECT(legend), words_key);
    int n = HPMVIZ_TREESHARE_STEPS * (is_change ? 2 : 1);

    g_object_set_data(G_OBJECT(legend), signed_key, GINT_TO_POINTER(is_change));
    gtk_label_set_text(least, is_change ? "−100 %" : "0 %");
    gtk_label_set_text(
        words, is_change ? _("of the largest change in the tree")
                         : _("of what is selected to the left; of ratios "
                             "and maxima, of the largest in the tree"));
    gtk_widget_set_size_request(area, n * STEP_WIDTH, HEIGHT);
    gtk_widget_queue_draw(area);
}

static GtkWidget *
add_label(GtkWidget *legend, const char *text, const char *key)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_container_add(GTK_CONTAINER(legend), label);
    if (key != NULL)
        g_object_set_data(G_OBJECT(legend), key, label);
    return label;
}

GtkWidget *
hpmviz_scalelegend_new(void)
{
    GtkWidget *legend = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *area = gtk_drawing_area_new(), *words;

    add_label(legend, "0 %", least_key);
    gtk_widget_set_valign(area, GTK_ALIGN_CENTER);
    atk_object_set_name(gtk_widget_get_accessible(area), _("colour scale"));
    gtk_container_add(GTK_CONTAINER(legend), area);
    g_object_set_data(G_OBJECT(legend), area_key, area);
    g_signal_connect(area, "draw", G_CALLBACK(paint), legend);
    add_label(legend, "100 %", NULL);
    words = add_label(legend, "", words_key);
    gtk_label_set_ellipsize(GTK_LABEL(words), PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign(GTK_LABEL(words), 0.0f);
    gtk_widget_set_hexpand(words, TRUE);
    hpmviz_scalelegend_set(legend, FALSE);
    return legend;
}
