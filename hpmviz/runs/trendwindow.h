/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side: a column for each, and a line over the runs of the section
 * that is selected; values, speed-up or efficiency.
 */
#ifndef HPMVIZ_RUNS_TRENDWINDOW_H
#define HPMVIZ_RUNS_TRENDWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_TRENDWINDOW (hpmviz_trendwindow_get_type())
G_DECLARE_FINAL_TYPE(HpmvizTrendwindow, hpmviz_trendwindow, HPMVIZ, TRENDWINDOW,
                     GtkWindow)

/* It follows the session: its runs, metric and selected section.  Signal "print":
 * the user wants all runs on paper. */
GtkWidget *hpmviz_trendwindow_new(HpmvizSession *session, GtkWindow *parent);

#endif
