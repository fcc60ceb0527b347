/* SPDX-License-Identifier: BSD-3-Clause
 * The values in their order, the smallest first. */
#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/plots/axis.h"
#include "hpmviz/plots/plot.h"

struct layout {
    struct hpmviz_frame frame;
    struct hpmviz_scale x, y;
};

static struct layout
lay_out(const struct hpmviz_canvas *canvas,
        const struct hpmviz_distribution *values)
{
    struct layout layout = {.frame = hpmviz_frame_of(canvas)};
    const struct hpmviz_frame *frame = &layout.frame;

    layout.x = hpmviz_scale_of(1, MAX(values->n, 2), frame->left, frame->right);
    layout.x.is_whole = TRUE;
    layout.y = hpmviz_scale_of(values->values[0], values->values[values->n - 1],
                               frame->bottom, frame->top);
    return layout;
}

static double
x_of(const struct layout *layout, guint rank)
{
    return hpmviz_scale_at(&layout->x, rank + 1.0);
}

/* Of many places each column of pixels is a bar from the smallest to the largest
 * value in the column, so that no value is lost. */
static void
draw_bars(const struct hpmviz_canvas *canvas,
          const struct hpmviz_distribution *values, const struct layout *layout)
{
    guint from = 0;

    hpmviz_canvas_set(canvas, canvas->look->mark);
    for (guint i = 1; i <= values->n; i++) {
        double x = floor(x_of(layout, from));
        double top, bottom;

        if (i < values->n && floor(x_of(layout, i)) == x)
            continue;
        top = hpmviz_scale_at(&layout->y, values->values[i - 1]);
        bottom = hpmviz_scale_at(&layout->y, values->values[from]);
        cairo_rectangle(canvas->cairo, x, top - 1.5, 1, bottom - top + 3);
        from = i;
    }
    cairo_fill(canvas->cairo);
}

static void
draw_dots(const struct hpmviz_canvas *canvas,
          const struct hpmviz_distribution *values, const struct layout *layout,
          double radius)
{
    for (guint i = 0; i < values->n; i++) {
        guint row = values->rows[i];
        const char *colour = hpmviz_plot_colour(canvas, values, row);
        double size =
            colour == canvas->look->odd ? fmax(radius, canvas->em / 5) : radius;

        hpmviz_canvas_dot(canvas, colour, x_of(layout, i),
                          hpmviz_scale_at(&layout->y, values->values[i]), size,
                          hpmviz_distribution_is_derived(values, row));
    }
}

static void
draw_values(const struct hpmviz_canvas *canvas,
            const struct hpmviz_distribution *values,
            const struct layout *layout)
{
    double room = (layout->frame.right - layout->frame.left) / values->n;

    if (room < 2)
        draw_bars(canvas, values, layout);
    else
        draw_dots(canvas, values, layout,
                  fmin(fmax(room / 2, 1.5), canvas->em / 4));
}

static void
draw(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data)
{
    const struct hpmviz_distribution *values = data->x;
    struct layout layout = lay_out(canvas, values);
    g_autofree char *title = hpmviz_plot_title(values);

    if (hpmviz_frame_is_empty(&layout.frame))
        return;
    hpmviz_axis_draw_x(canvas, &layout.frame, &layout.x,
                       _("place in the order, the smallest value first"));
    hpmviz_axis_draw_y(canvas, &layout.frame, &layout.y, title);
    draw_values(canvas, values, &layout);
}

static gboolean
locate(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
       guint row, double *ret_x, double *ret_y)
{
    struct layout layout = lay_out(canvas, data->x);

    if (data->x->ranks[row] == HPMVIZ_NONE)
        return FALSE;
    *ret_x = x_of(&layout, data->x->ranks[row]);
    *ret_y =
        hpmviz_scale_at(&layout.y, hpmviz_distribution_value(data->x, row));
    return TRUE;
}

static guint
find(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     double x, double y)
{
    const struct hpmviz_distribution *values = data->x;
    struct layout layout = lay_out(canvas, values);
    double rank = round(hpmviz_scale_value(&layout.x, x)) - 1;

    if (x < layout.frame.left || x > layout.frame.right ||
        y < layout.frame.top || y > layout.frame.bottom)
        return HPMVIZ_NONE;
    return values->rows[(guint)CLAMP(rank, 0, values->n - 1.0)];
}

static void
take(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     const struct hpmviz_lasso *lasso, gboolean *are_taken)
{
    hpmviz_plot_take_located(&hpmviz_sortedplot, canvas, data, lasso,
                             are_taken);
}

const struct hpmviz_plot hpmviz_sortedplot = {
    "sorted", N_("values in their order"), draw, locate, find, take, NULL,
    FALSE};
