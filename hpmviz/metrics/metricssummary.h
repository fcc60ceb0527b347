/* SPDX-License-Identifier: BSD-3-Clause
 * How the values of a section are spread over its tasks and threads: a row for
 * each metric, those of whole processes apart. */
#ifndef HPMVIZ_METRICS_METRICSSUMMARY_H
#define HPMVIZ_METRICS_METRICSSUMMARY_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"
#include "hpmviz/data/sheet.h"

#define HPMVIZ_TYPE_METRICSSUMMARY (hpmviz_metricssummary_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMetricssummary, hpmviz_metricssummary, HPMVIZ,
                     METRICSSUMMARY, GtkScrolledWindow)

/* Signal:
 *
 *   "chosen" (guint row, guint column)   this cell of the sheet is wanted: a
 *                                        place, or a number of bad values, was
 *                                        clicked, or Enter pressed on it
 */

GtkWidget *hpmviz_metricssummary_new(HpmvizSession *session);

/* As hpmviz_metricstable_set_sheet. */
void hpmviz_metricssummary_set_sheet(HpmvizMetricssummary *summary,
                                     const struct hpmviz_sheet *sheet);

/* The view, palette or precision, is another one. */
void hpmviz_metricssummary_refresh(HpmvizMetricssummary *summary);

#endif
