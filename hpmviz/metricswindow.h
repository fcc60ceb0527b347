/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one section, a row per task and thread. */
#ifndef HPMVIZ_METRICSWINDOW_H
#define HPMVIZ_METRICSWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/session.h"

G_BEGIN_DECLS

#define HPMVIZ_TYPE_METRICSWINDOW (hpmviz_metricswindow_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMetricswindow, hpmviz_metricswindow, HPMVIZ,
                     METRICSWINDOW, GtkWindow)

/* Rows beyond so many are summed up first. */
enum { HPMVIZ_MANY_ROWS = 2000 };

/* Of the section selected now; it closes when other files are opened. */
GtkWidget *hpmviz_metricswindow_new(HpmvizSession *session, GtkWindow *parent);

G_END_DECLS

#endif
