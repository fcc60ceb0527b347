/* SPDX-License-Identifier: BSD-3-Clause
 * What strips beside the source draw in a line. */
#include "hpmviz/source/gutterbar.h"

static void
set_colour(cairo_t *cairo, const char *name)
{
    GdkRGBA colour;

    gdk_rgba_parse(&colour, name);
    gdk_cairo_set_source_rgba(cairo, &colour);
}

void
hpmviz_gutterbar_draw(cairo_t *cairo, const GdkRectangle *area, double part,
                      const struct hpmviz_strip *strip)
{
    set_colour(cairo, strip->background);
    gdk_cairo_rectangle(cairo, area);
    cairo_fill(cairo);
    set_colour(cairo, strip->bar);
    cairo_rectangle(cairo, area->x, area->y, area->width * part, area->height);
    cairo_fill(cairo);
}

void
hpmviz_gutterbar_draw_text(GtkWidget *view, cairo_t *cairo,
                           const GdkRectangle *area, const char *text,
                           const struct hpmviz_strip *strip)
{
    PangoLayout *layout = gtk_widget_create_pango_layout(view, text);
    int width;

    set_colour(cairo, strip->text);
    pango_layout_get_pixel_size(layout, &width, NULL);
    cairo_move_to(cairo, area->x + area->width - width, area->y);
    pango_cairo_show_layout(cairo, layout);
    g_object_unref(layout);
}

/* GtkSourceView asks for a width in pixels. */
void
hpmviz_gutterbar_set_width(GtkSourceGutterRenderer *strip, int n_digits)
{
    GtkTextView *view = gtk_source_gutter_renderer_get_view(strip);
    PangoLayout *layout;
    int width;

    if (view == NULL)
        return;
    layout = gtk_widget_create_pango_layout(GTK_WIDGET(view), "0");
    pango_layout_get_pixel_size(layout, &width, NULL);
    g_object_unref(layout);
    gtk_source_gutter_renderer_set_size(strip, width * n_digits);
}
