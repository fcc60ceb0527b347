/* SPDX-License-Identifier: BSD-3-Clause
 * Places below the roofs of the machine, on logarithmic axes. */
#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/plots/axis.h"
#include "hpmviz/plots/plot.h"

struct layout {
    struct hpmviz_frame frame;
    struct hpmviz_scale x, y;
};

static gboolean
is_there(const struct hpmviz_plotdata *data)
{
    return data->roofline != NULL && data->roofline->n > 0;
}

static struct layout
lay_out(const struct hpmviz_canvas *canvas,
        const struct hpmviz_roofline *roofline)
{
    struct layout layout = {.frame = hpmviz_frame_of(canvas)};
    const struct hpmviz_frame *frame = &layout.frame;
    double ridge = roofline->flops / roofline->bytes;
    double left = ridge, right = ridge, low = roofline->flops,
           high = roofline->flops;

    for (guint i = 0; i < roofline->n; i++) {
        const struct hpmviz_rooflinepoint *point = &roofline->points[i];

        left = fmin(left, point->intensity);
        right = fmax(right, point->intensity);
        low = fmin(low, point->reached);
        high = fmax(high, point->reached);
    }
    layout.x = (struct hpmviz_scale){left / 3,     right * 6, frame->left,
                                     frame->right, TRUE,      FALSE};
    layout.y = (struct hpmviz_scale){low / 3,    high * 2, frame->bottom,
                                     frame->top, TRUE,     FALSE};
    return layout;
}

/* Up the slope of memory, then level. */
static void
draw_roof(const struct hpmviz_canvas *canvas,
          const struct hpmviz_roofline *roofline, const struct layout *layout)
{
    double ridge = roofline->flops / roofline->bytes;
    double begin = fmax(layout->x.from, layout->y.from / roofline->bytes);
    double x = hpmviz_scale_at(&layout->x, ridge);
    double y = hpmviz_scale_at(&layout->y, roofline->flops);

    cairo_set_line_width(canvas->cairo, 2);
    hpmviz_canvas_line(
        canvas, canvas->look->ink, hpmviz_scale_at(&layout->x, begin),
        hpmviz_scale_at(&layout->y, begin * roofline->bytes), x, y);
    hpmviz_canvas_line(canvas, canvas->look->ink, x, y, layout->frame.right, y);
    cairo_set_line_width(canvas->cairo, 1);
}

static void
place(const struct layout *layout, const struct hpmviz_rooflinepoint *point,
      double *ret_x, double *ret_y)
{
    *ret_x = hpmviz_scale_at(&layout->x, point->intensity);
    *ret_y = hpmviz_scale_at(&layout->y, point->reached);
}

static void
draw(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data)
{
    struct layout layout;

    if (!is_there(data)) {
        hpmviz_canvas_write(canvas, canvas->width / 2, canvas->height / 2,
                            HPMVIZ_CENTRE,
                            _("no place has operations, bytes and roofs"));
        return;
    }
    layout = lay_out(canvas, data->roofline);
    if (hpmviz_frame_is_empty(&layout.frame))
        return;
    hpmviz_axis_draw_x(canvas, &layout.frame, &layout.x,
                       _("operations per byte of memory"));
    hpmviz_axis_draw_y(canvas, &layout.frame, &layout.y,
                       _("10⁹ operations per second"));
    draw_roof(canvas, data->roofline, &layout);
    for (guint i = 0; i < data->roofline->n; i++) {
        double x, y;

        place(&layout, &data->roofline->points[i], &x, &y);
        hpmviz_canvas_dot(canvas, canvas->look->mark, x, y, canvas->em / 5,
                          FALSE);
    }
}

static gboolean
locate(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
       guint row, double *ret_x, double *ret_y)
{
    const struct hpmviz_rooflinepoint *point =
        is_there(data) ? hpmviz_roofline_find(data->roofline, row) : NULL;
    struct layout layout;

    if (point == NULL)
        return FALSE;
    layout = lay_out(canvas, data->roofline);
    place(&layout, point, ret_x, ret_y);
    return TRUE;
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
    layout = lay_out(canvas, data->roofline);
    for (guint i = 0; i < data->roofline->n; i++) {
        double here_x, here_y, distance;

        place(&layout, &data->roofline->points[i], &here_x, &here_y);
        distance = hypot(here_x - x, here_y - y);
        if (distance < nearest) {
            nearest = distance;
            found = data->roofline->points[i].row;
        }
    }
    return found;
}

static void
take(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     const struct hpmviz_lasso *lasso, gboolean *are_taken)
{
    struct layout layout;

    if (!is_there(data))
        return;
    layout = lay_out(canvas, data->roofline);
    for (guint i = 0; i < data->roofline->n; i++) {
        const struct hpmviz_rooflinepoint *point = &data->roofline->points[i];
        double x, y;

        place(&layout, point, &x, &y);
        are_taken[point->row] |= hpmviz_lasso_has(lasso, x, y);
    }
}

const struct hpmviz_plot hpmviz_rooflineplot = {
    "roofline", N_("roofline"), draw, locate, find, take, NULL, TRUE};
