/* SPDX-License-Identifier: BSD-3-Clause
 * What becomes of one section from run to run, as a line over the runs' threads.
 */
#ifndef HPMVIZ_RUNS_TRENDCHART_H
#define HPMVIZ_RUNS_TRENDCHART_H

#include <gtk/gtk.h>

#include "hpmviz/data/trend.h"

#define HPMVIZ_TYPE_TRENDCHART (hpmviz_trendchart_get_type())
G_DECLARE_FINAL_TYPE(HpmvizTrendchart, hpmviz_trendchart, HPMVIZ, TRENDCHART,
                     GtkDrawingArea)

GtkWidget *hpmviz_trendchart_new(void);

/* Draw a row of a trend, which must outlive that; NULL: nothing. */
void hpmviz_trendchart_set(HpmvizTrendchart *chart,
                           const struct hpmviz_trend *trend, guint row,
                           enum hpmviz_trend_kind kind, const char *quantity);

#endif
