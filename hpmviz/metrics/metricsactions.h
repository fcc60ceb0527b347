/* SPDX-License-Identifier: BSD-3-Clause
 * What the menus and keys of a window of metrics do. */
#ifndef HPMVIZ_METRICS_METRICSACTIONS_H
#define HPMVIZ_METRICS_METRICSACTIONS_H

#include "hpmviz/metrics/metricsexport.h"
#include "hpmviz/metrics/metricspages.h"

struct hpmviz_metricsactions;

/* Add them to a window as "metrics.NAME", with their keys.  All that is given
 * outlives them. */
struct hpmviz_metricsactions *
hpmviz_metricsactions_new(GtkWindow *window, HpmvizSession *session,
                          struct hpmviz_metricspages *pages,
                          struct hpmviz_metricsexport *export);
void hpmviz_metricsactions_free(struct hpmviz_metricsactions *actions);

/* The bar of menus, to be put into the window. */
GtkWidget *hpmviz_metricsactions_menubar(struct hpmviz_metricsactions *actions);

/* The columns of the table are other ones. */
void hpmviz_metricsactions_list(struct hpmviz_metricsactions *actions);

/* Let precision and palette show what the session's view has. */
void hpmviz_metricsactions_show_view(struct hpmviz_metricsactions *actions);

#endif
