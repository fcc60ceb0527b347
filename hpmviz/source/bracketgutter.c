/* SPDX-License-Identifier: BSD-3-Clause
 * The strip beside the source that shows where sections start and stop. */
#include "hpmviz/source/bracketgutter.h"

struct _HpmvizBracketgutter {
    GtkSourceGutterRenderer parent_instance;
    const struct hpmviz_heat *heat;
    const struct hpm_survey *survey;
    size_t selected;
    int column_width;
};

G_DEFINE_TYPE(HpmvizBracketgutter, hpmviz_bracketgutter,
              GTK_SOURCE_TYPE_GUTTER_RENDERER)

/* Deeper ones share the last. */
enum { N_COLUMNS = 4 };

/* From `left` through the cell: the part of a bracket in one line. */
static void
draw_part(cairo_t *cairo, const GdkRectangle *area, double left, double width,
          const struct hpmviz_stretch *stretch, int line)
{
    double middle = area->y + area->height / 2.0, top = area->y,
           bottom = area->y + area->height, right = left + width;

    if (line == stretch->first)
        top = middle;
    if (line == stretch->last)
        bottom = middle;
    if (line == stretch->first) {
        cairo_move_to(cairo, right, top);
        cairo_line_to(cairo, left, top);
    } else {
        cairo_move_to(cairo, left, top);
    }
    cairo_line_to(cairo, left, bottom);
    if (line == stretch->last)
        cairo_line_to(cairo, right, bottom);
    cairo_stroke(cairo);
}

static void
draw(GtkSourceGutterRenderer *renderer, cairo_t *cairo,
     GdkRectangle *background_area, GdkRectangle *cell_area, GtkTextIter *start,
     GtkTextIter *end, GtkSourceGutterRendererState state)
{
    HpmvizBracketgutter *gutter = HPMVIZ_BRACKETGUTTER(renderer);
    GtkWidget *view = GTK_WIDGET(gtk_source_gutter_renderer_get_view(renderer));
    GtkStyleContext *style = gtk_widget_get_style_context(view);
    int line = gtk_text_iter_get_line(start) + 1, depth = 0;
    GdkRGBA colour;

    GTK_SOURCE_GUTTER_RENDERER_CLASS(hpmviz_bracketgutter_parent_class)
        ->draw(renderer, cairo, background_area, cell_area, start, end, state);
    gtk_style_context_get_color(style, gtk_style_context_get_state(style),
                                &colour);
    for (guint i = 0; gutter->heat != NULL && i < gutter->heat->n_stretches;
         i++) {
        const struct hpmviz_stretch *stretch = &gutter->heat->stretches[i];
        gboolean is_selected = stretch->subject == gutter->selected;

        if (line < stretch->first || line > stretch->last)
            continue;
        colour.alpha = is_selected ? 1 : 0.45;
        gdk_cairo_set_source_rgba(cairo, &colour);
        cairo_set_line_width(cairo, is_selected ? 2 : 1);
        draw_part(cairo, background_area,
                  background_area->x + 1.5 +
                      MIN(depth, N_COLUMNS - 1) * gutter->column_width,
                  gutter->column_width - 1.0, stretch, line);
        depth++;
    }
}

static gboolean
query_tooltip(GtkSourceGutterRenderer *renderer, GtkTextIter *iter,
              GdkRectangle *area, int x, int y, GtkTooltip *tooltip)
{
    HpmvizBracketgutter *gutter = HPMVIZ_BRACKETGUTTER(renderer);
    char *text = NULL;

    (void)area;
    (void)x;
    (void)y;
    if (gutter->heat != NULL)
        text = hpmviz_heat_describe(gutter->heat, gutter->survey,
                                    gtk_text_iter_get_line(iter) + 1);
    gtk_tooltip_set_text(tooltip, text);
    g_free(text);
    return text != NULL;
}

/* How many brackets stand side by side at most. */
static int
depth_of(const struct hpmviz_heat *heat)
{
    int deepest = 0;

    for (guint i = 0; heat != NULL && i < heat->n_stretches; i++) {
        int depth = 0;

        for (guint j = 0; j <= i && depth < N_COLUMNS; j++)
            depth += heat->stretches[j].last >= heat->stretches[i].first;
        deepest = MAX(deepest, depth);
        if (deepest == N_COLUMNS)
            break;
    }
    return deepest;
}

/* GtkSourceView asks for a width in pixels. */
static void
measure(HpmvizBracketgutter *gutter)
{
    GtkSourceGutterRenderer *renderer = GTK_SOURCE_GUTTER_RENDERER(gutter);
    GtkTextView *view = gtk_source_gutter_renderer_get_view(renderer);
    PangoLayout *layout;
    int width;

    if (view == NULL)
        return;
    layout = gtk_widget_create_pango_layout(GTK_WIDGET(view), "0");
    pango_layout_get_pixel_size(layout, &width, NULL);
    g_object_unref(layout);
    gutter->column_width = MAX(width * 2 / 3, 4);
    gtk_source_gutter_renderer_set_size(renderer, gutter->column_width *
                                                      depth_of(gutter->heat));
}

static void
change_view(GtkSourceGutterRenderer *renderer, GtkTextView *before)
{
    GtkSourceGutterRendererClass *parent =
        GTK_SOURCE_GUTTER_RENDERER_CLASS(hpmviz_bracketgutter_parent_class);

    if (parent->change_view != NULL)
        parent->change_view(renderer, before);
    measure(HPMVIZ_BRACKETGUTTER(renderer));
}

static void
hpmviz_bracketgutter_class_init(HpmvizBracketgutterClass *class)
{
    GtkSourceGutterRendererClass *renderer =
        GTK_SOURCE_GUTTER_RENDERER_CLASS(class);

    renderer->draw = draw;
    renderer->query_tooltip = query_tooltip;
    renderer->change_view = change_view;
}

static void
hpmviz_bracketgutter_init(HpmvizBracketgutter *gutter)
{
    gutter->selected = HPM_NO_SUBJECT;
}

GtkSourceGutterRenderer *
hpmviz_bracketgutter_new(void)
{
    return g_object_new(HPMVIZ_TYPE_BRACKETGUTTER, NULL);
}

void
hpmviz_bracketgutter_set(HpmvizBracketgutter *gutter,
                         const struct hpmviz_heat *heat,
                         const struct hpm_survey *survey)
{
    gutter->heat = heat;
    gutter->survey = survey;
    measure(gutter);
    gtk_source_gutter_renderer_queue_draw(GTK_SOURCE_GUTTER_RENDERER(gutter));
}

void
hpmviz_bracketgutter_select(HpmvizBracketgutter *gutter, size_t subject)
{
    gutter->selected = subject;
    gtk_source_gutter_renderer_queue_draw(GTK_SOURCE_GUTTER_RENDERER(gutter));
}
