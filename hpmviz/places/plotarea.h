/* SPDX-License-Identifier: BSD-3-Clause
 * A plot of places in a window: pointer and keys choose a place, and a frame drawn
 * with the pointer chooses several.
 *
 * Signals:
 *
 *   "chosen" (row)   the user chose the place of a row of the sheet (guint)
 *   "lassoed"        the user drew around places, or ended that: see
 *                    hpmviz_plotarea_take */
#ifndef HPMVIZ_PLACES_PLOTAREA_H
#define HPMVIZ_PLACES_PLOTAREA_H

#include <gtk/gtk.h>

#include "hpmviz/plots/plot.h"

#define HPMVIZ_TYPE_PLOTAREA (hpmviz_plotarea_get_type())
G_DECLARE_FINAL_TYPE(HpmvizPlotarea, hpmviz_plotarea, HPMVIZ, PLOTAREA,
                     GtkDrawingArea)

GtkWidget *hpmviz_plotarea_new(const struct hpmviz_plot *plot);

/* Show this, whose parts must outlive that; NULL: nothing.  A frame that was drawn
 * is gone. */
void hpmviz_plotarea_set(HpmvizPlotarea *area,
                         const struct hpmviz_plotdata *data);

/* Another row is selected; HPMVIZ_NONE: none. */
void hpmviz_plotarea_select(HpmvizPlotarea *area, guint row);

/* What it shows in words, for whoever does not see it. */
void hpmviz_plotarea_describe(HpmvizPlotarea *area, const char *words);

/* What the user drew around: whether there is something, the rows in it. */
gboolean hpmviz_plotarea_has_lasso(const HpmvizPlotarea *area);
void hpmviz_plotarea_take(HpmvizPlotarea *area, gboolean *are_taken);
void hpmviz_plotarea_drop_lasso(HpmvizPlotarea *area);

#endif
