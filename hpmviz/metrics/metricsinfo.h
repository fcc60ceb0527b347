/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of a section beside its values, as a tree. */
#ifndef HPMVIZ_METRICS_METRICSINFO_H
#define HPMVIZ_METRICS_METRICSINFO_H

#include <gtk/gtk.h>

#include "hpmviz/data/sheet.h"

#define HPMVIZ_TYPE_METRICSINFO (hpmviz_metricsinfo_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMetricsinfo, hpmviz_metricsinfo, HPMVIZ, METRICSINFO,
                     GtkScrolledWindow)

GtkWidget *hpmviz_metricsinfo_new(void);

/* What is shown is copied; NULL: nothing. */
void hpmviz_metricsinfo_set_sheet(HpmvizMetricsinfo *info,
                                  const struct hpmviz_sheet *sheet);

/* The selected lines, "name<tab>value", or all of them; for g_free. */
char *hpmviz_metricsinfo_get_text(HpmvizMetricsinfo *info);

#endif
