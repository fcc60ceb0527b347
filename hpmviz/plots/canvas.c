/* SPDX-License-Identifier: BSD-3-Clause
 * What plots are drawn on. */
#include "hpmviz/plots/canvas.h"

static const struct hpmviz_plotlook looks[] = {
    {"#ffffff", "#1b1b1b", "#5e5c64", "#d8d8d8", "#2f6fb2", "#a35a00"},
    {"#242424", "#eeeeee", "#b0b0b0", "#4c4c4c", "#7fb4ec", "#e8a34f"},
};

const struct hpmviz_plotlook *
hpmviz_canvas_look(gboolean is_dark)
{
    return &looks[is_dark ? 1 : 0];
}

struct hpmviz_canvas
hpmviz_canvas_of_size(double width, double height, double em)
{
    return (struct hpmviz_canvas){
        .look = &looks[0], .width = width, .height = height, .em = em};
}

void
hpmviz_canvas_set(const struct hpmviz_canvas *canvas, const char *colour)
{
    unsigned number = (unsigned)g_ascii_strtoull(colour + 1, NULL, 16);

    cairo_set_source_rgb(canvas->cairo, (number >> 16 & 255) / 255.0,
                         (number >> 8 & 255) / 255.0, (number & 255) / 255.0);
}

double
hpmviz_canvas_measure(const struct hpmviz_canvas *canvas, const char *text)
{
    int width;

    pango_layout_set_text(canvas->layout, text, -1);
    pango_layout_get_pixel_size(canvas->layout, &width, NULL);
    return width;
}

void
hpmviz_canvas_write(const struct hpmviz_canvas *canvas, double x, double y,
                    enum hpmviz_align align, const char *text)
{
    int width, height;

    pango_layout_set_text(canvas->layout, text, -1);
    pango_layout_get_pixel_size(canvas->layout, &width, &height);
    hpmviz_canvas_set(canvas, canvas->look->ink);
    cairo_move_to(canvas->cairo, x - width * (double)align / 2,
                  y - height / 2.0);
    pango_cairo_show_layout(canvas->cairo, canvas->layout);
    cairo_new_path(canvas->cairo); /* the text leaves its place behind */
}

void
hpmviz_canvas_fill(const struct hpmviz_canvas *canvas, const char *colour,
                   double x, double y, double width, double height)
{
    hpmviz_canvas_set(canvas, colour);
    cairo_rectangle(canvas->cairo, x, y, width, height);
    cairo_fill(canvas->cairo);
}

void
hpmviz_canvas_line(const struct hpmviz_canvas *canvas, const char *colour,
                   double x, double y, double x2, double y2)
{
    hpmviz_canvas_set(canvas, colour);
    cairo_move_to(canvas->cairo, x, y);
    cairo_line_to(canvas->cairo, x2, y2);
    cairo_stroke(canvas->cairo);
}

void
hpmviz_canvas_dot(const struct hpmviz_canvas *canvas, const char *colour,
                  double x, double y, double radius, gboolean is_hollow)
{
    hpmviz_canvas_set(canvas, colour);
    cairo_arc(canvas->cairo, x, y, radius, 0, 2 * G_PI);
    if (is_hollow)
        cairo_stroke(canvas->cairo);
    else
        cairo_fill(canvas->cairo);
}

static void
draw_cross(const struct hpmviz_canvas *canvas, const char *colour, double x,
           double y)
{
    double reach = canvas->em / 2;

    hpmviz_canvas_line(canvas, colour, x - reach, y, x + reach, y);
    hpmviz_canvas_line(canvas, colour, x, y - reach, x, y + reach);
    hpmviz_canvas_dot(canvas, colour, x, y, reach * 0.7, TRUE);
}

/* A rim in the colour of the paper: the cross may stand on any colour. */
void
hpmviz_canvas_select(const struct hpmviz_canvas *canvas, double x, double y)
{
    cairo_set_line_width(canvas->cairo, 4);
    draw_cross(canvas, canvas->look->paper, x, y);
    cairo_set_line_width(canvas->cairo, 1.5);
    draw_cross(canvas, canvas->look->ink, x, y);
    cairo_set_line_width(canvas->cairo, 1);
}
