/* SPDX-License-Identifier: BSD-3-Clause
 * How a metric of the selected section is distributed over tasks and threads: plots,
 * where the extremes are, the place that is selected.
 *
 * Signals "export", "print": the user wants a file of what is shown, or that on
 * paper. */
#ifndef HPMVIZ_PLACES_PLACESWINDOW_H
#define HPMVIZ_PLACES_PLACESWINDOW_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"
#include "hpmviz/plots/plot.h"

#define HPMVIZ_TYPE_PLACESWINDOW (hpmviz_placeswindow_get_type())
G_DECLARE_FINAL_TYPE(HpmvizPlaceswindow, hpmviz_placeswindow, HPMVIZ,
                     PLACESWINDOW, GtkWindow)

/* It follows what is selected in the session, and selects metric and place. */
GtkWidget *hpmviz_placeswindow_new(HpmvizSession *session, GtkWindow *parent);

/* What the plots show, for as long as the window shows it; FALSE for nothing. */
gboolean hpmviz_placeswindow_data(const HpmvizPlaceswindow *window,
                                  struct hpmviz_plotdata *ret_data);

#endif
