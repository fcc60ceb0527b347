/* SPDX-License-Identifier: BSD-3-Clause
 * The histogram, and the box plot of the same values below it. */
#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/plots/axis.h"
#include "hpmviz/plots/plot.h"

/* The box has a strip of the frame of its own, below the bars. */
struct layout {
    struct hpmviz_frame frame; /* of the bars */
    double box_top, box_bottom;
    struct hpmviz_scale x, y;
};

static double
edge(const struct hpmviz_distribution *values, size_t bin)
{
    return hpm_histogram_edge(&values->histogram, bin);
}

static guint
largest_count(const struct hpmviz_distribution *values)
{
    guint largest = 0;

    for (size_t i = 0; i < values->histogram.n_bins; i++)
        largest = MAX(largest, values->counts[i]);
    return largest;
}

static struct layout
lay_out(const struct hpmviz_canvas *canvas,
        const struct hpmviz_distribution *values)
{
    struct layout layout = {.frame = hpmviz_frame_of(canvas)};
    struct hpmviz_frame *frame = &layout.frame;

    layout.box_bottom = frame->bottom;
    layout.box_top = frame->bottom - 2.5 * canvas->em;
    layout.x =
        hpmviz_scale_of(edge(values, 0), edge(values, values->histogram.n_bins),
                        frame->left, frame->right);
    layout.y = (struct hpmviz_scale){.to = largest_count(values) * 1.05,
                                     .begin = layout.box_top,
                                     .end = frame->top,
                                     .is_whole = TRUE};
    return layout;
}

/* ---- bars ------------------------------------------------------------- */

/* A bin with a value has a bar to be seen, however low. */
static void
draw_bars(const struct hpmviz_canvas *canvas,
          const struct hpmviz_distribution *values, const struct layout *layout)
{
    for (size_t i = 0; i < values->histogram.n_bins; i++) {
        double left = hpmviz_scale_at(&layout->x, edge(values, i));
        double right = hpmviz_scale_at(&layout->x, edge(values, i + 1));
        double top = hpmviz_scale_at(&layout->y, values->counts[i]);

        if (values->counts[i] > 0)
            hpmviz_canvas_fill(canvas, canvas->look->mark, left + 0.5,
                               fmin(top, layout->box_top - 2),
                               fmax(right - left - 1, 1),
                               fmax(layout->box_top - top, 2));
    }
}

/* ---- the box ---------------------------------------------------------- */

static double
middle_of(const struct layout *layout)
{
    return (layout->box_top + layout->box_bottom) / 2;
}

/* Those beyond the whiskers, each at its value; of several at one pixel one. */
static void
draw_beyond(const struct hpmviz_canvas *canvas,
            const struct hpmviz_distribution *values,
            const struct layout *layout)
{
    guint above = values->n - (guint)values->box.n_above;
    double last = -INFINITY;

    for (guint i = 0; i < values->n; i++) {
        double x = hpmviz_scale_at(&layout->x, values->values[i]);

        if ((i >= values->box.n_below && i < above) || x < last + 0.5)
            continue;
        hpmviz_canvas_dot(
            canvas, canvas->look->odd, x, middle_of(layout), canvas->em / 4,
            hpmviz_distribution_is_derived(values, values->rows[i]));
        last = x;
    }
}

static void
draw_box(const struct hpmviz_canvas *canvas,
         const struct hpmviz_distribution *values, const struct layout *layout)
{
    const struct hpm_box *box = &values->box;
    const char *ink = canvas->look->ink;
    double low = hpmviz_scale_at(&layout->x, box->low);
    double lower = hpmviz_scale_at(&layout->x, box->lower);
    double median = hpmviz_scale_at(&layout->x, box->median);
    double upper = hpmviz_scale_at(&layout->x, box->upper);
    double high = hpmviz_scale_at(&layout->x, box->high);
    double y = middle_of(layout), half = 0.7 * canvas->em;

    hpmviz_canvas_fill(canvas, canvas->look->paper, layout->frame.left,
                       layout->box_top,
                       layout->frame.right - layout->frame.left,
                       layout->box_bottom - layout->box_top);
    hpmviz_canvas_line(canvas, ink, low, y, high, y);
    hpmviz_canvas_line(canvas, ink, low, y - half / 2, low, y + half / 2);
    hpmviz_canvas_line(canvas, ink, high, y - half / 2, high, y + half / 2);
    hpmviz_canvas_fill(canvas, canvas->look->line, lower, y - half,
                       fmax(upper - lower, 1), 2 * half);
    cairo_rectangle(canvas->cairo, lower, y - half, fmax(upper - lower, 1),
                    2 * half);
    hpmviz_canvas_set(canvas, ink);
    cairo_stroke(canvas->cairo);
    cairo_set_line_width(canvas->cairo, 2);
    hpmviz_canvas_line(canvas, ink, median, y - half, median, y + half);
    cairo_set_line_width(canvas->cairo, 1);
}

/* ---- the plot --------------------------------------------------------- */

static void
draw(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data)
{
    const struct hpmviz_distribution *values = data->x;
    struct layout layout = lay_out(canvas, values);
    struct hpmviz_frame bars = layout.frame;
    g_autofree char *title = hpmviz_plot_title(values);

    bars.bottom = layout.box_top;
    if (hpmviz_frame_is_empty(&bars))
        return;
    hpmviz_axis_draw_y(canvas, &bars, &layout.y,
                       values->is_process ? _("processes") : _("threads"));
    hpmviz_axis_draw_x(canvas, &layout.frame, &layout.x, title);
    draw_bars(canvas, values, &layout);
    draw_box(canvas, values, &layout);
    draw_beyond(canvas, values, &layout);
}

/* In the box plot: a bar is of several places. */
static gboolean
locate(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
       guint row, double *ret_x, double *ret_y)
{
    struct layout layout = lay_out(canvas, data->x);

    if (data->x->ranks[row] == HPMVIZ_NONE)
        return FALSE;
    *ret_x =
        hpmviz_scale_at(&layout.x, hpmviz_distribution_value(data->x, row));
    *ret_y = middle_of(&layout);
    return TRUE;
}

/* The value nearest to the pointer, of those in the same bin: a bar is of several
 * places, of which one is chosen. */
static guint
find(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     double x, double y)
{
    const struct hpmviz_distribution *values = data->x;
    struct layout layout = lay_out(canvas, values);
    double value = hpmviz_scale_value(&layout.x, x);
    guint nearest = 0;

    if (x < layout.frame.left || x > layout.frame.right ||
        y < layout.frame.top || y > layout.frame.bottom)
        return HPMVIZ_NONE;
    for (guint i = 1; i < values->n; i++) {
        if (fabs(values->values[i] - value) <
            fabs(values->values[nearest] - value))
            nearest = i;
    }
    return values->rows[nearest];
}

/* By values alone: all of a bar are on each of its heights. */
static void
take(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     const struct hpmviz_lasso *lasso, gboolean *are_taken)
{
    const struct hpmviz_distribution *values = data->x;
    struct layout layout = lay_out(canvas, values);

    for (guint i = 0; i < values->n; i++) {
        double x = hpmviz_scale_at(&layout.x, values->values[i]);

        are_taken[values->rows[i]] |= x >= lasso->x && x <= lasso->x2;
    }
}

const struct hpmviz_plot hpmviz_histogramplot = {
    "histogram", N_("histogram and box plot"), draw, locate, find, take, NULL,
    FALSE};
