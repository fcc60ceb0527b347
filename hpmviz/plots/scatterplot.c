/* SPDX-License-Identifier: BSD-3-Clause
 * Two metrics of each place against each other. */
#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/plots/axis.h"
#include "hpmviz/plots/plot.h"

struct layout {
    struct hpmviz_frame frame;
    struct hpmviz_scale x, y;
};

/* Both metrics have values. */
static gboolean
is_there(const struct hpmviz_plotdata *data)
{
    return data->y != NULL && data->y->n > 0 && data->x->n > 0;
}

static struct layout
lay_out(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data)
{
    const struct hpmviz_distribution *x = data->x, *y = data->y;
    struct layout layout = {.frame = hpmviz_frame_of(canvas)};
    const struct hpmviz_frame *frame = &layout.frame;

    layout.x = hpmviz_scale_of(x->values[0], x->values[x->n - 1], frame->left,
                               frame->right);
    layout.y = hpmviz_scale_of(y->values[0], y->values[y->n - 1], frame->bottom,
                               frame->top);
    return layout;
}

static gboolean
place(const struct layout *layout, const struct hpmviz_plotdata *data,
      guint row, double *ret_x, double *ret_y)
{
    if (data->x->ranks[row] == HPMVIZ_NONE ||
        data->y->ranks[row] == HPMVIZ_NONE)
        return FALSE;
    *ret_x =
        hpmviz_scale_at(&layout->x, hpmviz_distribution_value(data->x, row));
    *ret_y =
        hpmviz_scale_at(&layout->y, hpmviz_distribution_value(data->y, row));
    return TRUE;
}

/* Beyond the whiskers of either metric. */
static const char *
colour_of(const struct hpmviz_canvas *canvas,
          const struct hpmviz_plotdata *data, guint row)
{
    const char *colour = hpmviz_plot_colour(canvas, data->x, row);

    return colour == canvas->look->odd
               ? colour
               : hpmviz_plot_colour(canvas, data->y, row);
}

/* Squares of the plane in one colour, each once. */
static void
draw_squares(const struct hpmviz_canvas *canvas,
             const struct hpmviz_plotdata *data, const struct layout *layout,
             const char *colour)
{
    enum { SIZE = 2 };
    gsize width = (gsize)(canvas->width / SIZE) + 1;
    g_autofree guint8 *are_drawn =
        g_new0(guint8, width * ((gsize)(canvas->height / SIZE) + 1));

    for (guint i = 0; i < data->x->n; i++) {
        guint row = data->x->rows[i];
        double x, y;
        guint8 *is_drawn;

        if (!place(layout, data, row, &x, &y) ||
            colour_of(canvas, data, row) != colour)
            continue;
        is_drawn = &are_drawn[(gsize)(y / SIZE) * width + (gsize)(x / SIZE)];
        if (!*is_drawn)
            hpmviz_canvas_fill(canvas, colour, floor(x / SIZE) * SIZE,
                               floor(y / SIZE) * SIZE, SIZE, SIZE);
        *is_drawn = 1;
    }
}

/* What is beyond the whiskers stands over what is not. */
static void
draw_many(const struct hpmviz_canvas *canvas,
          const struct hpmviz_plotdata *data, const struct layout *layout)
{
    draw_squares(canvas, data, layout, canvas->look->mark);
    draw_squares(canvas, data, layout, canvas->look->odd);
}

static void
draw_dots(const struct hpmviz_canvas *canvas,
          const struct hpmviz_plotdata *data, const struct layout *layout)
{
    for (guint i = 0; i < data->x->n; i++) {
        guint row = data->x->rows[i];
        double x, y;

        if (place(layout, data, row, &x, &y))
            hpmviz_canvas_dot(canvas, colour_of(canvas, data, row), x, y,
                              canvas->em / 5,
                              hpmviz_distribution_is_derived(data->x, row) ||
                                  hpmviz_distribution_is_derived(data->y, row));
    }
}

static void
draw(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data)
{
    enum { MANY = 2000 };
    struct layout layout;
    g_autofree char *x_title = NULL, *y_title = NULL;

    if (!is_there(data)) {
        hpmviz_canvas_write(canvas, canvas->width / 2, canvas->height / 2,
                            HPMVIZ_CENTRE, _("no place has a value"));
        return;
    }
    layout = lay_out(canvas, data);
    if (hpmviz_frame_is_empty(&layout.frame))
        return;
    x_title = hpmviz_plot_title(data->x);
    y_title = hpmviz_plot_title(data->y);
    hpmviz_axis_draw_x(canvas, &layout.frame, &layout.x, x_title);
    hpmviz_axis_draw_y(canvas, &layout.frame, &layout.y, y_title);
    if (data->x->n > MANY)
        draw_many(canvas, data, &layout);
    else
        draw_dots(canvas, data, &layout);
}

static gboolean
locate(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
       guint row, double *ret_x, double *ret_y)
{
    struct layout layout;

    if (!is_there(data))
        return FALSE;
    layout = lay_out(canvas, data);
    return place(&layout, data, row, ret_x, ret_y);
}

/* The nearest dot within a line's height. */
static guint
find(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     double x, double y)
{
    struct layout layout;
    double nearest = canvas->em;
    guint found = HPMVIZ_NONE;

    if (!is_there(data))
        return HPMVIZ_NONE;
    layout = lay_out(canvas, data);
    for (guint i = 0; i < data->x->n; i++) {
        double here_x, here_y, distance;

        if (!place(&layout, data, data->x->rows[i], &here_x, &here_y))
            continue;
        distance = hypot(here_x - x, here_y - y);
        if (distance < nearest) {
            nearest = distance;
            found = data->x->rows[i];
        }
    }
    return found;
}

static void
take(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     const struct hpmviz_lasso *lasso, gboolean *are_taken)
{
    hpmviz_plot_take_located(&hpmviz_scatterplot, canvas, data, lasso,
                             are_taken);
}

const struct hpmviz_plot hpmviz_scatterplot = {
    "scatter", N_("two metrics"), draw, locate, find, take, NULL, TRUE};
