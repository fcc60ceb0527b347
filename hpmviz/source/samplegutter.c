/* SPDX-License-Identifier: BSD-3-Clause
 * The strip beside the source that shows how many samples each line has. */
#include "hpmviz/source/samplegutter.h"

#include "hpmviz/source/gutterbar.h"
#include "hpmviz/widgets/cell.h"

struct _HpmvizSamplegutter {
    GtkSourceGutterRenderer parent_instance;
    const struct hpmviz_lineheat *heat;
};

G_DEFINE_TYPE(HpmvizSamplegutter, hpmviz_samplegutter,
              GTK_SOURCE_TYPE_GUTTER_RENDERER)

static int
line_at(const GtkTextIter *iter)
{
    return gtk_text_iter_get_line(iter) + 1;
}

static void
draw(GtkSourceGutterRenderer *renderer, cairo_t *cairo,
     GdkRectangle *background_area, GdkRectangle *cell_area, GtkTextIter *start,
     GtkTextIter *end, GtkSourceGutterRendererState state)
{
    const struct hpmviz_lineheat *heat = HPMVIZ_SAMPLEGUTTER(renderer)->heat;
    GtkWidget *view = GTK_WIDGET(gtk_source_gutter_renderer_get_view(renderer));
    guint64 n = heat != NULL ? hpmviz_lineheat_at(heat, line_at(start)) : 0;
    const struct hpmviz_strip *strip;
    char *number;

    GTK_SOURCE_GUTTER_RENDERER_CLASS(hpmviz_samplegutter_parent_class)
        ->draw(renderer, cairo, background_area, cell_area, start, end, state);
    if (n == 0)
        return;
    strip = hpmviz_palette_strip(
        hpmviz_cell_is_dark(gtk_widget_get_toplevel(view)));
    number = g_strdup_printf("%" G_GUINT64_FORMAT, n);
    hpmviz_gutterbar_draw(cairo, background_area,
                          MIN(1.0, (double)n / (double)heat->most), strip);
    hpmviz_gutterbar_draw_text(view, cairo, cell_area, number, strip);
    g_free(number);
}

static gboolean
query_tooltip(GtkSourceGutterRenderer *renderer, GtkTextIter *iter,
              GdkRectangle *area, int x, int y, GtkTooltip *tooltip)
{
    const struct hpmviz_lineheat *heat = HPMVIZ_SAMPLEGUTTER(renderer)->heat;
    char *text =
        heat != NULL ? hpmviz_lineheat_describe(heat, line_at(iter)) : NULL;

    (void)area;
    (void)x;
    (void)y;
    gtk_tooltip_set_text(tooltip, text);
    g_free(text);
    return text != NULL;
}

static void
hpmviz_samplegutter_class_init(HpmvizSamplegutterClass *class)
{
    GtkSourceGutterRendererClass *renderer =
        GTK_SOURCE_GUTTER_RENDERER_CLASS(class);

    renderer->query_tooltip = query_tooltip;
    renderer->draw = draw;
}

static void
hpmviz_samplegutter_init(HpmvizSamplegutter *gutter)
{
    gtk_source_gutter_renderer_set_alignment(GTK_SOURCE_GUTTER_RENDERER(gutter),
                                             1.0f, -1.0f);
}

GtkSourceGutterRenderer *
hpmviz_samplegutter_new(void)
{
    return g_object_new(HPMVIZ_TYPE_SAMPLEGUTTER, "visible", FALSE, NULL);
}

void
hpmviz_samplegutter_set(HpmvizSamplegutter *gutter,
                        const struct hpmviz_lineheat *heat)
{
    GtkSourceGutterRenderer *renderer = GTK_SOURCE_GUTTER_RENDERER(gutter);
    gboolean is_there = heat != NULL && heat->n_lines > 0;
    int n_digits = 1;

    gutter->heat = heat;
    for (guint64 n = is_there ? heat->most : 0; n >= 10; n /= 10)
        n_digits++;
    gtk_source_gutter_renderer_set_visible(renderer, is_there);
    if (is_there)
        hpmviz_gutterbar_set_width(renderer, n_digits + 1);
    gtk_source_gutter_renderer_queue_draw(renderer);
}
