/* SPDX-License-Identifier: BSD-3-Clause
 * The line of one section over the runs, drawn without a widget, so that windows
 * and files get the same. */
#ifndef HPMVIZ_RUNS_TRENDPLOT_H
#define HPMVIZ_RUNS_TRENDPLOT_H

#include <gtk/gtk.h>

#include "hpmviz/data/trend.h"

/* Borrowed for one drawing. */
struct hpmviz_trendplot {
    const struct hpmviz_trend *trend;
    guint row;
    enum hpmviz_trend_kind kind;
    const char *quantity;
    double width, height;
    PangoLayout *layout; /* for its letters */
    GdkRGBA ink;
    gboolean is_dark; /* the paper */
};

/* From 0, 0 on; nothing where there is no number. */
void hpmviz_trendplot_draw(const struct hpmviz_trendplot *plot, cairo_t *cairo);

#endif
