/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one section: a row per task and thread, how they are spread,
 * what is known of the section, and what all that suggests. */
#ifndef HPMVIZ_METRICS_METRICSWINDOW_H
#define HPMVIZ_METRICS_METRICSWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/hints.h"
#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_METRICSWINDOW (hpmviz_metricswindow_get_type())
G_DECLARE_FINAL_TYPE(HpmvizMetricswindow, hpmviz_metricswindow, HPMVIZ,
                     METRICSWINDOW, GtkWindow)

/* Rows beyond so many are summed up first. */
enum { HPMVIZ_MANY_ROWS = 2000 };

/* Present the window of a subject of the session's survey, the one there is or
 * a new one.  When other files are opened it shows the same section of those,
 * or says that it is gone. */
HpmvizMetricswindow *hpmviz_metricswindow_open(HpmvizSession *session,
                                               GtkWindow *parent,
                                               size_t subject);

/* Signal "print": the table is to be printed; its two views, of tasks and threads and
 * of values. */
void hpmviz_metricswindow_views(const HpmvizMetricswindow *window,
                                GtkTreeView *ret_views[2]);

/* Show the value that a hint is about, as soon as it is there. */
void hpmviz_metricswindow_go_to(HpmvizMetricswindow *window,
                                const struct hpmviz_hint *hint);

#endif
