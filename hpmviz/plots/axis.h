/* SPDX-License-Identifier: BSD-3-Clause
 * From values to places of a plot, and the axes that say so. */
#ifndef HPMVIZ_PLOTS_AXIS_H
#define HPMVIZ_PLOTS_AXIS_H

#include "hpmviz/plots/canvas.h"

/* The value `from` is at pixel `begin`, `to` at `end`. */
struct hpmviz_scale {
    double from, to, begin, end;
    gboolean is_log;   /* from > 0 */
    gboolean is_whole; /* only whole numbers have a tick */
};

/* A little more than the range of values from least to largest. */
struct hpmviz_scale hpmviz_scale_of(double least, double largest, double begin,
                                    double end);
double hpmviz_scale_at(const struct hpmviz_scale *scale, double value);
double hpmviz_scale_value(const struct hpmviz_scale *scale, double at);

/* The part of a canvas inside the axes. */
struct hpmviz_frame {
    double left, top, right, bottom;
};

struct hpmviz_frame hpmviz_frame_of(const struct hpmviz_canvas *canvas);

/* Is there room for anything? */
gboolean hpmviz_frame_is_empty(const struct hpmviz_frame *frame);

/* Lines across the frame with their numbers: of a horizontal axis below the
 * frame, the title below these; of a vertical axis left of it, the title above.
 * Large and small numbers are divided by a power of 1000, which the title says. */
void hpmviz_axis_draw_x(const struct hpmviz_canvas *canvas,
                        const struct hpmviz_frame *frame,
                        const struct hpmviz_scale *scale, const char *title);
void hpmviz_axis_draw_y(const struct hpmviz_canvas *canvas,
                        const struct hpmviz_frame *frame,
                        const struct hpmviz_scale *scale, const char *title);

/* The numbers beside the colours of a legend, to the right of x; the title above. */
void hpmviz_axis_draw_legend(const struct hpmviz_canvas *canvas,
                             const struct hpmviz_scale *scale, double x,
                             const char *title);

#endif
