/* SPDX-License-Identifier: BSD-3-Clause
 * The values of a section, a row for each task and thread, and below them all
 * that is known of the value under the cursor. */
#ifndef HPMVIZ_METRICS_METRICSTABLE_H
#define HPMVIZ_METRICS_METRICSTABLE_H

#include <gtk/gtk.h>

#include "hpmviz/data/export.h"
#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_METRICSTABLE (hpmviz_metricstable_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMetricstable, hpmviz_metricstable, HPMVIZ,
                     METRICSTABLE, GtkPaned)

/* Signals:
 *
 *   "moved", guint row   the user goes to another row of the sheet
 */
GtkWidget *hpmviz_metricstable_new(HpmvizSession *session);

/* Show a filled sheet, or nothing: NULL.  It must live until the next one is
 * set. */
void hpmviz_metricstable_set_sheet(HpmvizMetricstable *table,
                                   const struct hpmviz_sheet *sheet);

/* The columns, whose indices are the sheet's. */
GtkTreeView *hpmviz_metricstable_view(HpmvizMetricstable *table);

/* The columns of tasks and threads beside them. */
GtkTreeView *hpmviz_metricstable_places(HpmvizMetricstable *table);

/* Put the cursor into a cell, show its column if it was hidden, and give the
 * table the focus. */
void hpmviz_metricstable_go_to(HpmvizMetricstable *table, guint row,
                               guint column);

/* Put the cursor into a row, in the column it is in; the focus stays where it is. */
void hpmviz_metricstable_show_row(HpmvizMetricstable *table, guint row);

/* Give the table the focus; without a cursor, it gets that of its first cell.
 */
void hpmviz_metricstable_focus(HpmvizMetricstable *table);

/* The limits are those of another precision now. */
void hpmviz_metricstable_judge(HpmvizMetricstable *table,
                               enum hpm_precision before);

/* Rows and columns as they are shown, those selected or all of them; the arrays
 * are for g_free. */
struct hpmviz_extract hpmviz_metricstable_extract(HpmvizMetricstable *table,
                                                  gboolean is_selection);

#endif
