/* SPDX-License-Identifier: BSD-3-Clause
 * A cell of a table. */
#include "hpmviz/widgets/cell.h"

#include <math.h>

#include "hpmviz/widgets/cellaccessible.h"
#include "hpmviz/widgets/safetext.h"

struct _HpmvizCell {
    GtkCellRendererText parent_instance;
    double share;
    GdkRGBA background;
    gboolean has_background, is_current;
    hpmviz_cell_describe *describe;
    gpointer data; /* of describe */
};

G_DEFINE_TYPE(HpmvizCell, hpmviz_cell, GTK_TYPE_CELL_RENDERER_TEXT)

/* Of the text's height, along the lower edge. */
static const double bar_height = 0.14;

static void
fill_background(const HpmvizCell *cell, cairo_t *cairo,
                const GdkRectangle *area)
{
    gdk_cairo_set_source_rgba(cairo, &cell->background);
    gdk_cairo_rectangle(cairo, area);
    cairo_fill(cairo);
}

static void
draw_bar(const HpmvizCell *cell, cairo_t *cairo, GtkWidget *widget,
         const GdkRectangle *area)
{
    GtkStyleContext *context = gtk_widget_get_style_context(widget);
    double height = fmax(2.0, bar_height * area->height);
    double width = fmin(fmax(cell->share, 0.0), 1.0) * area->width;
    GdkRGBA colour;

    gtk_style_context_get_color(context, gtk_style_context_get_state(context),
                                &colour);
    colour.alpha *= 0.15;
    gdk_cairo_set_source_rgba(cairo, &colour);
    cairo_rectangle(cairo, area->x, area->y + area->height - height,
                    area->width, height);
    cairo_fill(cairo);
    colour.alpha *= 4;
    gdk_cairo_set_source_rgba(cairo, &colour);
    cairo_rectangle(cairo, area->x, area->y + area->height - height, width,
                    height);
    cairo_fill(cairo);
}

static void
draw_frame(const HpmvizCell *cell, cairo_t *cairo, GtkWidget *widget,
           const GdkRectangle *area)
{
    GtkStyleContext *context = gtk_widget_get_style_context(widget);
    GdkRGBA colour, *text = NULL;

    gtk_style_context_get_color(context, gtk_style_context_get_state(context),
                                &colour);
    if (cell->has_background)
        g_object_get((gpointer)cell, "foreground-rgba", &text, NULL);
    gdk_cairo_set_source_rgba(cairo, text != NULL ? text : &colour);
    gdk_rgba_free(text);
    cairo_set_line_width(cairo, 2);
    cairo_rectangle(cairo, area->x + 1, area->y + 1, area->width - 2,
                    area->height - 2);
    cairo_stroke(cairo);
}

/* GTK leaves a cell's background away where the row is selected; a verdict must
 * be seen there, too. */
static void
render(GtkCellRenderer *renderer, cairo_t *cairo, GtkWidget *widget,
       const GdkRectangle *background_area, const GdkRectangle *cell_area,
       GtkCellRendererState flags)
{
    const HpmvizCell *cell = HPMVIZ_CELL(renderer);

    if (cell->has_background) {
        fill_background(cell, cairo, background_area);
        flags &= ~(unsigned)GTK_CELL_RENDERER_SELECTED;
    }
    if (!isnan(cell->share))
        draw_bar(cell, cairo, widget, cell_area);
    GTK_CELL_RENDERER_CLASS(hpmviz_cell_parent_class)
        ->render(renderer, cairo, widget, background_area, cell_area, flags);
    if (cell->is_current)
        draw_frame(cell, cairo, widget, background_area);
}

static char *
describe_place(GtkCellRenderer *renderer, guint place)
{
    HpmvizCell *cell = HPMVIZ_CELL(renderer);

    return cell->describe != NULL ? cell->describe(place, cell->data) : NULL;
}

static void
hpmviz_cell_class_init(HpmvizCellClass *class)
{
    GtkCellRendererClass *renderer = GTK_CELL_RENDERER_CLASS(class);

    renderer->render = render;
    gtk_cell_renderer_class_set_accessible_type(renderer,
                                                HPMVIZ_TYPE_CELLACCESSIBLE);
    hpmviz_cellaccessible_use(describe_place);
}

static void
hpmviz_cell_init(HpmvizCell *cell)
{
    cell->share = NAN;
}

GtkCellRenderer *
hpmviz_cell_new(void)
{
    return g_object_new(HPMVIZ_TYPE_CELL, NULL);
}

void
hpmviz_cell_set_share(HpmvizCell *cell, double share)
{
    cell->share = share;
}

/* Fill the cell with a colour ("#rrggbb"), and write in another; NULL leaves
 * what the theme has. */
static void
set_colours(HpmvizCell *cell, const char *background, const char *text)
{
    cell->has_background =
        background != NULL && gdk_rgba_parse(&cell->background, background);
    g_object_set(cell, "foreground", text, "foreground-set", text != NULL,
                 NULL);
}

gboolean
hpmviz_cell_is_dark(GtkWidget *widget)
{
    GtkStyleContext *context = gtk_widget_get_style_context(widget);
    GdkRGBA text;

    gtk_style_context_get_color(context, gtk_style_context_get_state(context),
                                &text);
    return 0.2126 * text.red + 0.7152 * text.green + 0.0722 * text.blue > 0.5;
}

void
hpmviz_cell_set_verdict(HpmvizCell *cell, GtkWidget *widget,
                        enum hpmviz_palette palette, enum hpm_verdict verdict,
                        const char *text)
{
    const struct hpmviz_colours *colours =
        hpmviz_palette_colours(palette, hpmviz_cell_is_dark(widget), verdict);
    const char *glyph = hpmviz_verdict_glyph(verdict);
    char *line = hpmviz_safe_line(text);
    char *marked =
        *glyph != '\0' ? g_strdup_printf("%s %s", glyph, line) : NULL;

    g_object_set(cell, "text", marked != NULL ? marked : line, NULL);
    set_colours(cell, colours->background, colours->text);
    g_free(marked);
    g_free(line);
}

void
hpmviz_cell_set_current(HpmvizCell *cell, gboolean is_current)
{
    cell->is_current = is_current;
}

void
hpmviz_cell_set_describe(HpmvizCell *cell, hpmviz_cell_describe *describe,
                         gpointer data)
{
    cell->describe = describe;
    cell->data = data;
}

gboolean
hpmviz_cell_get_background(const HpmvizCell *cell, GdkRGBA *ret_background)
{
    if (cell->has_background)
        *ret_background = cell->background;
    return cell->has_background;
}
