/* SPDX-License-Identifier: BSD-3-Clause
 * Axes of plots. */
#include "hpmviz/plots/axis.h"

#include <math.h>

#include "study/statistics/histogram.h"

enum { MOST_TICKS = 64 };

/* ---- scales ----------------------------------------------------------- */

struct hpmviz_scale
hpmviz_scale_of(double least, double largest, double begin, double end)
{
    double room = (largest - least) * 0.03;

    if (!(room > 0))
        room = largest != 0 ? fabs(largest) * 0.05 : 1;
    return (struct hpmviz_scale){
        .from = least - room, .to = largest + room, .begin = begin, .end = end};
}

double
hpmviz_scale_at(const struct hpmviz_scale *scale, double value)
{
    double part = scale->is_log
                      ? log(value / scale->from) / log(scale->to / scale->from)
                      : (value - scale->from) / (scale->to - scale->from);

    return scale->begin + part * (scale->end - scale->begin);
}

double
hpmviz_scale_value(const struct hpmviz_scale *scale, double at)
{
    double part = (at - scale->begin) / (scale->end - scale->begin);

    return scale->is_log ? scale->from * pow(scale->to / scale->from, part)
                         : scale->from + part * (scale->to - scale->from);
}

/* ---- the frame -------------------------------------------------------- */

struct hpmviz_frame
hpmviz_frame_of(const struct hpmviz_canvas *canvas)
{
    return (struct hpmviz_frame){5 * canvas->em, 1.6 * canvas->em,
                                 canvas->width - 1.5 * canvas->em,
                                 canvas->height - 2.8 * canvas->em};
}

gboolean
hpmviz_frame_is_empty(const struct hpmviz_frame *frame)
{
    return frame->right - frame->left < 10 || frame->bottom - frame->top < 10;
}

/* ---- ticks ------------------------------------------------------------ */

struct ticks {
    double all[MOST_TICKS];
    guint n;
    double unit; /* a power of 1000 */
};

static void
add_tick(struct ticks *ticks, const struct hpmviz_scale *scale, double tick)
{
    if (tick >= scale->from && tick <= scale->to && ticks->n < MOST_TICKS)
        ticks->all[ticks->n++] = tick;
}

/* Each power of ten; where there are few, 2 and 5 times it, too. */
static void
add_powers(struct ticks *ticks, const struct hpmviz_scale *scale)
{
    int from = (int)floor(log10(scale->from)), to = (int)ceil(log10(scale->to));
    int step = (to - from) / 8 + 1;

    for (int power = from; power <= to; power += step) {
        add_tick(ticks, scale, pow(10, power));
        if (to - from <= 3) {
            add_tick(ticks, scale, 2 * pow(10, power));
            add_tick(ticks, scale, 5 * pow(10, power));
        }
    }
}

static double
unit_of(double largest)
{
    double power = largest > 0 ? floor(log10(largest) / 3) * 3 : 0;

    return fabs(power) < 3 ? 1 : pow(10, power);
}

/* A tick each `space` pixels or more. */
static void
find_ticks(struct ticks *ticks, const struct hpmviz_scale *scale, double space)
{
    double length = fabs(scale->end - scale->begin);
    double n = fmin(fmax(floor(length / space), 1), 10);
    double step = hpm_histogram_round((scale->to - scale->from) / n);

    if (scale->is_whole)
        step = fmax(step, 1);
    *ticks = (struct ticks){.unit = 1};
    if (scale->is_log) {
        add_powers(ticks, scale);
        return;
    }
    if (!scale->is_whole)
        ticks->unit = unit_of(fmax(fabs(scale->from), fabs(scale->to)));
    for (double i = ceil(scale->from / step);
         i * step <= scale->to && ticks->n < MOST_TICKS; i++)
        add_tick(ticks, scale, i * step);
}

/* Ten digits hide what rounding leaves of multiples of the step. */
static char *
name_tick(const struct ticks *ticks, guint i)
{
    double value = ticks->all[i] / ticks->unit;

    return g_strdup_printf("%.10g", value == 0 ? 0.0 : value);
}

/* "ExcSec, s (×1e-03)" */
static char *
name_axis(const struct ticks *ticks, const char *title)
{
    return ticks->unit == 1 ? g_strdup(title)
                            : g_strdup_printf("%s (×%.0e)", title, ticks->unit);
}

void
hpmviz_axis_draw_x(const struct hpmviz_canvas *canvas,
                   const struct hpmviz_frame *frame,
                   const struct hpmviz_scale *scale, const char *title)
{
    struct ticks ticks;
    g_autofree char *name = NULL;
    double last = -INFINITY;

    find_ticks(&ticks, scale, 5 * canvas->em);
    for (guint i = 0; i < ticks.n; i++) {
        double x = floor(hpmviz_scale_at(scale, ticks.all[i])) + 0.5;
        g_autofree char *number = name_tick(&ticks, i);
        double half = hpmviz_canvas_measure(canvas, number) / 2;

        hpmviz_canvas_line(canvas, canvas->look->line, x, frame->top, x,
                           frame->bottom);
        if (x - half < last)
            continue;
        hpmviz_canvas_write(canvas, x, frame->bottom + 0.8 * canvas->em,
                            HPMVIZ_CENTRE, number);
        last = x + half + canvas->em / 2;
    }
    name = name_axis(&ticks, title);
    hpmviz_canvas_write(canvas, frame->right, frame->bottom + 2 * canvas->em,
                        HPMVIZ_RIGHT, name);
}

void
hpmviz_axis_draw_y(const struct hpmviz_canvas *canvas,
                   const struct hpmviz_frame *frame,
                   const struct hpmviz_scale *scale, const char *title)
{
    struct ticks ticks;
    g_autofree char *name = NULL;

    find_ticks(&ticks, scale, 2 * canvas->em);
    for (guint i = 0; i < ticks.n; i++) {
        double y = floor(hpmviz_scale_at(scale, ticks.all[i])) + 0.5;
        g_autofree char *number = name_tick(&ticks, i);

        hpmviz_canvas_line(canvas, canvas->look->line, frame->left, y,
                           frame->right, y);
        hpmviz_canvas_write(canvas, frame->left - canvas->em / 3, y,
                            HPMVIZ_RIGHT, number);
    }
    name = name_axis(&ticks, title);
    hpmviz_canvas_write(canvas, canvas->em / 3, 0.7 * canvas->em, HPMVIZ_LEFT,
                        name);
}

void
hpmviz_axis_draw_legend(const struct hpmviz_canvas *canvas,
                        const struct hpmviz_scale *scale, double x,
                        const char *title)
{
    struct ticks ticks;
    g_autofree char *name = NULL;

    find_ticks(&ticks, scale, 2 * canvas->em);
    for (guint i = 0; i < ticks.n; i++) {
        double y = floor(hpmviz_scale_at(scale, ticks.all[i])) + 0.5;
        g_autofree char *number = name_tick(&ticks, i);

        hpmviz_canvas_line(canvas, canvas->look->ink, x, y, x + canvas->em / 4,
                           y);
        hpmviz_canvas_write(canvas, x + canvas->em / 2, y, HPMVIZ_LEFT, number);
    }
    name = name_axis(&ticks, title);
    hpmviz_canvas_write(canvas, canvas->width - canvas->em / 3,
                        0.7 * canvas->em, HPMVIZ_RIGHT, name);
}
