/* SPDX-License-Identifier: BSD-3-Clause
 * The line of one section over the runs. */
#include "hpmviz/runs/trendplot.h"

#include <math.h>

#include "hpmviz/data/palette.h"

/* From numbers to places; y from 0, so that lengths can be compared. */
struct frame {
    double left, top, width, height; /* of what is drawn */
    double least, most;              /* threads, or the runs' numbers */
    double highest;                  /* number */
};

/* By threads; where those of a run are not known, the runs one by one. */
static double
step_of(const struct hpmviz_trend *trend, guint run)
{
    for (guint i = 0; i < trend->n_runs; i++) {
        if (isnan(trend->n_threads[i]))
            return run;
    }
    return trend->n_threads[run];
}

static double
x_of(const struct frame *frame, const struct hpmviz_trend *trend, guint run)
{
    double part = frame->most > frame->least
                      ? (step_of(trend, run) - frame->least) /
                            (frame->most - frame->least)
                      : 0.5;

    return frame->left + part * frame->width;
}

static double
y_of(const struct frame *frame, double number)
{
    return frame->top + frame->height * (1 - number / frame->highest);
}

static double
number_at(const struct hpmviz_trendplot *plot, guint run)
{
    return hpmviz_trend_number(plot->trend, plot->row, run, plot->kind,
                               plot->quantity);
}

/* Without losses; NAN where there is no such. */
static double
ideal_at(const struct hpmviz_trendplot *plot, guint run)
{
    const struct hpmviz_trend *trend = plot->trend;

    switch (plot->kind) {
    case HPMVIZ_TREND_SPEEDUP:
        return trend->n_threads[run] / trend->n_threads[trend->reference];
    case HPMVIZ_TREND_EFFICIENCY:
        return 1.0;
    default:
        return NAN;
    }
}

static struct frame
frame_of(const struct hpmviz_trendplot *plot, double em)
{
    const struct hpmviz_trend *trend = plot->trend;
    struct frame frame = {.left = 5 * em, .top = 1.5 * em, .least = INFINITY};

    frame.width = plot->width - 7 * em;
    frame.height = plot->height - 4 * em;
    for (guint i = 0; i < trend->n_runs; i++) {
        frame.least = fmin(frame.least, step_of(trend, i));
        frame.most = fmax(frame.most, step_of(trend, i));
        frame.highest = fmax(frame.highest, number_at(plot, i));
        frame.highest = fmax(frame.highest, ideal_at(plot, i));
    }
    return frame;
}

/* ---- drawing --------------------------------------------------------- */

static void
write_at(const struct hpmviz_trendplot *plot, cairo_t *cairo, double x,
         double y, double align, const char *text)
{
    int width, height;

    pango_layout_set_text(plot->layout, text, -1);
    pango_layout_get_pixel_size(plot->layout, &width, &height);
    cairo_move_to(cairo, x - align * width, y - height / 2.0);
    pango_cairo_show_layout(cairo, plot->layout);
}

static void
draw_axes(const struct hpmviz_trendplot *plot, cairo_t *cairo,
          const struct frame *frame, double em)
{
    g_autofree char *highest = g_strdup_printf("%.3g", frame->highest);
    double bottom = frame->top + frame->height;

    cairo_set_line_width(cairo, 1);
    cairo_move_to(cairo, frame->left - 0.5, frame->top);
    cairo_line_to(cairo, frame->left - 0.5, bottom + 0.5);
    cairo_line_to(cairo, frame->left + frame->width, bottom + 0.5);
    cairo_stroke(cairo);
    write_at(plot, cairo, frame->left - em / 2, frame->top, 1, highest);
    write_at(plot, cairo, frame->left - em / 2, bottom, 1, "0");
}

typedef double number_of_run(const struct hpmviz_trendplot *plot, guint run);

/* By the order of the runs; broken where there is no number. */
static void
draw_line(const struct hpmviz_trendplot *plot, cairo_t *cairo,
          const struct frame *frame, number_of_run *number_of)
{
    gboolean is_drawing = FALSE;

    for (guint i = 0; i < plot->trend->n_runs; i++) {
        double number = number_of(plot, i);
        double x = x_of(frame, plot->trend, i);

        if (isnan(number))
            is_drawing = FALSE;
        else if (is_drawing)
            cairo_line_to(cairo, x, y_of(frame, number));
        else
            cairo_move_to(cairo, x, y_of(frame, number));
        is_drawing = !isnan(number);
    }
    cairo_stroke(cairo);
}

/* In the run's colour, with its letter: no colour stands alone. */
static void
draw_run(const struct hpmviz_trendplot *plot, cairo_t *cairo,
         const struct frame *frame, guint run, double em)
{
    const char *letter = hpmviz_run_letter(plot->trend->runs[run]);
    double number = number_at(plot, run);
    double n_threads = plot->trend->n_threads[run];
    double x = x_of(frame, plot->trend, run);
    g_autofree char *threads =
        isnan(n_threads) ? g_strdup(letter)
                         : g_strdup_printf("%s:%.0f", letter, n_threads);
    GdkRGBA colour;

    write_at(plot, cairo, x, frame->top + frame->height + em, 0.5, threads);
    if (isnan(number))
        return;
    cairo_save(cairo);
    gdk_rgba_parse(&colour, hpmviz_palette_run(letter[0], plot->is_dark));
    gdk_cairo_set_source_rgba(cairo, &colour);
    cairo_arc(cairo, x, y_of(frame, number), em / 3, 0, 2 * G_PI);
    cairo_fill(cairo);
    cairo_restore(cairo);
}

void
hpmviz_trendplot_draw(const struct hpmviz_trendplot *plot, cairo_t *cairo)
{
    static const double dashes[] = {4, 4};
    struct frame frame;
    int em;

    pango_layout_set_text(plot->layout, "m", -1);
    pango_layout_get_pixel_size(plot->layout, &em, NULL);
    frame = frame_of(plot, em);
    if (!(frame.highest > 0) || frame.width <= 0 || frame.height <= 0)
        return;
    gdk_cairo_set_source_rgba(cairo, &plot->ink);
    draw_axes(plot, cairo, &frame, em);
    cairo_save(cairo);
    cairo_set_dash(cairo, dashes, G_N_ELEMENTS(dashes), 0);
    draw_line(plot, cairo, &frame, ideal_at);
    cairo_restore(cairo);
    cairo_set_line_width(cairo, 2);
    draw_line(plot, cairo, &frame, number_at);
    for (guint i = 0; i < plot->trend->n_runs; i++)
        draw_run(plot, cairo, &frame, i, em);
}
