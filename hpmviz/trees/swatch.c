/* SPDX-License-Identifier: BSD-3-Clause
 * A small box of a colour beside a value. */
#include "hpmviz/trees/swatch.h"

struct _HpmvizSwatch {
    GtkCellRenderer parent_instance;
    GdkRGBA colour;
    gboolean has_colour;
};

G_DEFINE_TYPE(HpmvizSwatch, hpmviz_swatch, GTK_TYPE_CELL_RENDERER)

/* Of the cell's height; a height of text is about 16. */
static const double part_of_height = 0.7;
enum { WIDTH = 18 };

static void
get_width(GtkCellRenderer *renderer, GtkWidget *widget, int *ret_least,
          int *ret_natural)
{
    (void)renderer;
    (void)widget;
    *ret_least = *ret_natural = WIDTH;
}

/* The outline has the colour of the text, so that the box is seen on any ground. */
static void
render(GtkCellRenderer *renderer, cairo_t *cairo, GtkWidget *widget,
       const GdkRectangle *background_area, const GdkRectangle *area,
       GtkCellRendererState flags)
{
    const HpmvizSwatch *swatch = HPMVIZ_SWATCH(renderer);
    GtkStyleContext *context = gtk_widget_get_style_context(widget);
    int side = (int)(part_of_height * area->height);
    GdkRGBA line;

    (void)background_area;
    (void)flags;
    if (!swatch->has_colour)
        return;
    cairo_rectangle(cairo, area->x + (area->width - side) / 2 + 0.5,
                    area->y + (area->height - side) / 2 + 0.5, side - 1,
                    side - 1);
    gdk_cairo_set_source_rgba(cairo, &swatch->colour);
    cairo_fill_preserve(cairo);
    gtk_style_context_get_color(context, gtk_style_context_get_state(context),
                                &line);
    gdk_cairo_set_source_rgba(cairo, &line);
    cairo_set_line_width(cairo, 1);
    cairo_stroke(cairo);
}

static void
hpmviz_swatch_class_init(HpmvizSwatchClass *class)
{
    GtkCellRendererClass *renderer = GTK_CELL_RENDERER_CLASS(class);

    renderer->render = render;
    renderer->get_preferred_width = get_width;
}

static void
hpmviz_swatch_init(HpmvizSwatch *swatch)
{
    (void)swatch;
}

GtkCellRenderer *
hpmviz_swatch_new(void)
{
    return g_object_new(HPMVIZ_TYPE_SWATCH, NULL);
}

void
hpmviz_swatch_set(HpmvizSwatch *swatch, const char *colour)
{
    swatch->has_colour =
        colour != NULL && gdk_rgba_parse(&swatch->colour, colour);
}
