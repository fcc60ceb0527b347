/* SPDX-License-Identifier: BSD-3-Clause
 * The pages of a window of metrics: the table of threads, how values are spread,
 * what else is known. */
#ifndef HPMVIZ_METRICS_METRICSPAGES_H
#define HPMVIZ_METRICS_METRICSPAGES_H

#include "hpmviz/metrics/metricsinfo.h"
#include "hpmviz/metrics/metricssummary.h"
#include "hpmviz/metrics/metricstable.h"

/* Borrowed; they live as long as the notebook. */
struct hpmviz_metricspages {
    GtkNotebook *notebook;
    HpmvizMetricstable *table;
    HpmvizMetricssummary *summary;
    HpmvizMetricsinfo *info;
    const struct hpmviz_sheet *sheet; /* as shown, or NULL */
};

/* Make the pages in a notebook, which has none; a place that is chosen in the
 * summary is shown in the table.  The struct lives as long as the notebook. */
void hpmviz_metricspages_add(struct hpmviz_metricspages *pages,
                             GtkNotebook *notebook, HpmvizSession *session);

/* Show a filled sheet, or nothing: NULL.  It must live until the next one is
 * set. */
void hpmviz_metricspages_set_sheet(struct hpmviz_metricspages *pages,
                                   const struct hpmviz_sheet *sheet);

/* Turn to the summary; to the table, with the cursor in a cell. */
void hpmviz_metricspages_show_summary(struct hpmviz_metricspages *pages);
void hpmviz_metricspages_go_to(struct hpmviz_metricspages *pages, guint row,
                               guint column);

/* Put into the clipboard what the widget with the focus has (or NULL): a text,
 * the facts, else the rows that are selected. */
void hpmviz_metricspages_copy(struct hpmviz_metricspages *pages,
                              GtkWidget *focus);

/* The whole table, as CSV. */
void hpmviz_metricspages_copy_csv(struct hpmviz_metricspages *pages);

#endif
