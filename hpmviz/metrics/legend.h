/* SPDX-License-Identifier: BSD-3-Clause
 * What colours, glyphs and letters in a table of metrics mean, and a way to do
 * without the colours. */
#ifndef HPMVIZ_METRICS_LEGEND_H
#define HPMVIZ_METRICS_LEGEND_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_LEGEND (hpmviz_legend_get_type())
G_DECLARE_FINAL_TYPE(HpmvizLegend, hpmviz_legend, HPMVIZ, LEGEND, GtkBox)

/* Follows the session's view. */
GtkWidget *hpmviz_legend_new(HpmvizSession *session);

#endif
