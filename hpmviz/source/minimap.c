/* SPDX-License-Identifier: BSD-3-Clause
 * The whole source at a glance. */
#include "hpmviz/source/minimap.h"

#include "hpmviz/source/sourcelook.h"

struct _HpmvizMinimap {
    GtkSourceMap parent_instance;
    const struct hpmviz_heat *heat;
};

G_DEFINE_TYPE(HpmvizMinimap, hpmviz_minimap, GTK_SOURCE_TYPE_MAP)

static int
y_of_line(GtkTextView *view, int line, int *ret_height)
{
    GtkTextIter iter;
    int y;

    gtk_text_buffer_get_iter_at_line(gtk_text_view_get_buffer(view), &iter,
                                     line - 1);
    gtk_text_view_get_line_yrange(view, &iter, &y, ret_height);
    gtk_text_view_buffer_to_window_coords(view, GTK_TEXT_WINDOW_WIDGET, 0, y,
                                          NULL, &y);
    return y;
}

/* Bars from the right edge, as long as the share; the coldest section can still
 * be seen. */
static gboolean
draw(GtkWidget *widget, cairo_t *cairo)
{
    const struct hpmviz_heat *heat = HPMVIZ_MINIMAP(widget)->heat;
    GtkTextView *view = GTK_TEXT_VIEW(widget);
    int width = gtk_widget_get_allocated_width(widget);
    gboolean is_done =
        GTK_WIDGET_CLASS(hpmviz_minimap_parent_class)->draw(widget, cairo);

    gdk_cairo_set_source_rgba(cairo, &hpmviz_heat_colour);
    for (guint i = 0; heat != NULL && i < heat->n_stretches; i++) {
        const struct hpmviz_stretch *stretch = &heat->stretches[i];
        double part = heat->most > 0 ? stretch->share / heat->most : 0;
        int height, top = y_of_line(view, stretch->first, &height);
        int bottom = y_of_line(view, stretch->last, &height) + height;

        cairo_rectangle(cairo, width, top, -MAX(part * width / 2, 3),
                        MAX(bottom - top, 2));
        cairo_fill(cairo);
    }
    return is_done;
}

static void
hpmviz_minimap_class_init(HpmvizMinimapClass *class)
{
    GTK_WIDGET_CLASS(class)->draw = draw;
}

static void
hpmviz_minimap_init(HpmvizMinimap *map)
{
    (void)map;
}

void
hpmviz_minimap_set(HpmvizMinimap *map, const struct hpmviz_heat *heat)
{
    map->heat = heat;
    gtk_widget_queue_draw(GTK_WIDGET(map));
}
