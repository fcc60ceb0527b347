/* SPDX-License-Identifier: BSD-3-Clause
 * The strip beside the source that shows each section's share of the time. */
#include "hpmviz/source/heatgutter.h"

#include <math.h>

#include "hpmviz/source/gutterbar.h"
#include "hpmviz/widgets/cell.h"

struct _HpmvizHeatgutter {
    GtkSourceGutterRenderer parent_instance;
    const struct hpmviz_heat *heat;
    const struct hpm_survey *survey;
};

G_DEFINE_TYPE(HpmvizHeatgutter, hpmviz_heatgutter,
              GTK_SOURCE_TYPE_GUTTER_RENDERER)

/* As wide as "100.0 ", or as what changed. */
enum { N_CHARACTERS = 6 };

static void
set_width(HpmvizHeatgutter *gutter)
{
    hpmviz_gutterbar_set_width(GTK_SOURCE_GUTTER_RENDERER(gutter),
                               gutter->heat != NULL && gutter->heat->is_change
                                   ? HPMVIZ_HEAT_WIDTH
                                   : N_CHARACTERS);
}

static int
line_at(const GtkTextIter *iter)
{
    return gtk_text_iter_get_line(iter) + 1;
}

static const struct hpmviz_stretch *
stretch_at(const HpmvizHeatgutter *gutter, GtkTextIter *iter)
{
    return gutter->heat != NULL ? hpmviz_heat_at(gutter->heat, line_at(iter))
                                : NULL;
}

/* Better and worse have their colours, and the sign says which. */
static struct hpmviz_strip
strip_of(const struct hpmviz_heat *heat, const struct hpmviz_stretch *stretch,
         gboolean is_dark)
{
    const struct hpmviz_colours *colours =
        hpmviz_palette_colours(heat->palette, is_dark, stretch->verdict);
    struct hpmviz_strip strip = *hpmviz_palette_strip(is_dark);

    if (colours->background != NULL) {
        strip.bar = colours->background;
        strip.text = colours->text;
    }
    return strip;
}

static char *
number_of(const struct hpmviz_heat *heat, const struct hpmviz_stretch *stretch)
{
    if (!heat->is_change)
        return g_strdup_printf("%.1f", 100 * stretch->share);
    return isnan(stretch->change) ? g_strdup("n/a")
                                  : hpmviz_heat_short_change(stretch);
}

/* Full is the costliest section of the file.  Over what is there, for the line
 * of the caret is drawn with a background of its own; the number, in a
 * stretch's first line only, over that. */
static void
draw(GtkSourceGutterRenderer *renderer, cairo_t *cairo,
     GdkRectangle *background_area, GdkRectangle *cell_area, GtkTextIter *start,
     GtkTextIter *end, GtkSourceGutterRendererState state)
{
    HpmvizHeatgutter *gutter = HPMVIZ_HEATGUTTER(renderer);
    const struct hpmviz_stretch *stretch = stretch_at(gutter, start);
    GtkWidget *view = GTK_WIDGET(gtk_source_gutter_renderer_get_view(renderer));
    struct hpmviz_strip strip;
    g_autofree char *number = NULL;

    GTK_SOURCE_GUTTER_RENDERER_CLASS(hpmviz_heatgutter_parent_class)
        ->draw(renderer, cairo, background_area, cell_area, start, end, state);
    if (stretch == NULL || !(gutter->heat->most > 0))
        return;
    strip = strip_of(gutter->heat, stretch,
                     hpmviz_cell_is_dark(gtk_widget_get_toplevel(view)));
    hpmviz_gutterbar_draw(cairo, background_area,
                          stretch->share / gutter->heat->most, &strip);
    if (stretch->first != line_at(start))
        return;
    number = number_of(gutter->heat, stretch);
    hpmviz_gutterbar_draw_text(view, cairo, cell_area, number, &strip);
}

static gboolean
query_tooltip(GtkSourceGutterRenderer *renderer, GtkTextIter *iter,
              GdkRectangle *area, int x, int y, GtkTooltip *tooltip)
{
    HpmvizHeatgutter *gutter = HPMVIZ_HEATGUTTER(renderer);
    char *text;

    (void)area;
    (void)x;
    (void)y;
    if (gutter->heat == NULL)
        return FALSE;
    text = hpmviz_heat_describe(gutter->heat, gutter->survey, line_at(iter));
    gtk_tooltip_set_text(tooltip, text);
    g_free(text);
    return text != NULL;
}

static void
change_view(GtkSourceGutterRenderer *renderer, GtkTextView *before)
{
    if (GTK_SOURCE_GUTTER_RENDERER_CLASS(hpmviz_heatgutter_parent_class)
            ->change_view != NULL)
        GTK_SOURCE_GUTTER_RENDERER_CLASS(hpmviz_heatgutter_parent_class)
            ->change_view(renderer, before);
    set_width(HPMVIZ_HEATGUTTER(renderer));
}

static void
hpmviz_heatgutter_class_init(HpmvizHeatgutterClass *class)
{
    GtkSourceGutterRendererClass *renderer =
        GTK_SOURCE_GUTTER_RENDERER_CLASS(class);

    renderer->query_tooltip = query_tooltip;
    renderer->draw = draw;
    renderer->change_view = change_view;
}

static void
hpmviz_heatgutter_init(HpmvizHeatgutter *gutter)
{
    gtk_source_gutter_renderer_set_alignment(GTK_SOURCE_GUTTER_RENDERER(gutter),
                                             1.0f, -1.0f);
    gtk_source_gutter_renderer_set_padding(GTK_SOURCE_GUTTER_RENDERER(gutter),
                                           4, 0);
}

GtkSourceGutterRenderer *
hpmviz_heatgutter_new(void)
{
    return g_object_new(HPMVIZ_TYPE_HEATGUTTER, NULL);
}

void
hpmviz_heatgutter_set(HpmvizHeatgutter *gutter, const struct hpmviz_heat *heat,
                      const struct hpm_survey *survey)
{
    gutter->heat = heat;
    gutter->survey = survey;
    set_width(gutter);
    gtk_source_gutter_renderer_queue_draw(GTK_SOURCE_GUTTER_RENDERER(gutter));
}
