/* SPDX-License-Identifier: BSD-3-Clause
 * What plots are drawn on: cairo, colours, letters.  No widget is needed, so that
 * windows and files get the same plot. */
#ifndef HPMVIZ_PLOTS_CANVAS_H
#define HPMVIZ_PLOTS_CANVAS_H

#include <cairo.h>
#include <glib.h>
#include <pango/pangocairo.h>

/* "#rrggbb", of a light theme or a dark one; told apart by all eyes. */
struct hpmviz_plotlook {
    const char *paper, *ink, *faint, *line;
    const char *mark; /* values */
    const char *odd;  /* values beyond the whiskers */
};

/* The widget or the page; `cairo` and `layout` are NULL where nothing is drawn,
 * but places are looked for. */
struct hpmviz_canvas {
    cairo_t *cairo;
    PangoLayout *layout;
    const struct hpmviz_plotlook *look;
    double width, height;
    double em; /* height of a line of text */
};

enum hpmviz_align { HPMVIZ_LEFT, HPMVIZ_CENTRE, HPMVIZ_RIGHT };

const struct hpmviz_plotlook *hpmviz_canvas_look(gboolean is_dark);

/* Of this size, to look for places. */
struct hpmviz_canvas hpmviz_canvas_of_size(double width, double height,
                                           double em);

/* Set the colour of what is drawn next. */
void hpmviz_canvas_set(const struct hpmviz_canvas *canvas, const char *colour);

/* Text beside or around a place, which is at the middle of the text's height. */
void hpmviz_canvas_write(const struct hpmviz_canvas *canvas, double x, double y,
                         enum hpmviz_align align, const char *text);
double hpmviz_canvas_measure(const struct hpmviz_canvas *canvas,
                             const char *text);

void hpmviz_canvas_fill(const struct hpmviz_canvas *canvas, const char *colour,
                        double x, double y, double width, double height);
void hpmviz_canvas_line(const struct hpmviz_canvas *canvas, const char *colour,
                        double x, double y, double x2, double y2);

/* A dot, or a ring where the value was not counted all the time. */
void hpmviz_canvas_dot(const struct hpmviz_canvas *canvas, const char *colour,
                       double x, double y, double radius, gboolean is_hollow);

/* What says which place is selected: a ring with a cross through it. */
void hpmviz_canvas_select(const struct hpmviz_canvas *canvas, double x,
                          double y);

#endif
