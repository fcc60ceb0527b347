/* SPDX-License-Identifier: BSD-3-Clause
 * Kinds of plots of places (threads, or whole processes).
 *
 * A plot is drawn and searched by the same arithmetic: what `find` says is at a
 * point is what `draw` has drawn there on a canvas of the same size. */
#ifndef HPMVIZ_PLOTS_PLOT_H
#define HPMVIZ_PLOTS_PLOT_H

#include "hpmviz/data/distribution.h"
#include "hpmviz/data/placegrid.h"
#include "hpmviz/data/rooflinepoints.h"
#include "hpmviz/plots/lasso.h"

/* What is drawn. */
struct hpmviz_plotdata {
    const struct hpmviz_distribution *x;
    guint selected; /* row of the sheet, or HPMVIZ_NONE */
    /* of the same sheet, for one plot each: the heat map, the second of two metrics,
     * the roofline; NULL elsewhere */
    const struct hpmviz_placegrid *grid;
    const struct hpmviz_distribution *y;
    const struct hpmviz_roofline *roofline;
};

struct hpmviz_plot {
    const char *id;
    const char *name; /* to be translated */
    void (*draw)(const struct hpmviz_canvas *canvas,
                 const struct hpmviz_plotdata *data);

    /* Where the place of a row is drawn; FALSE where it is not. */
    gboolean (*locate)(const struct hpmviz_canvas *canvas,
                       const struct hpmviz_plotdata *data, guint row,
                       double *ret_x, double *ret_y);

    /* The row at a point or near it; HPMVIZ_NONE where there is none. */
    guint (*find)(const struct hpmviz_canvas *canvas,
                  const struct hpmviz_plotdata *data, double x, double y);

    /* Mark the rows that are drawn inside. */
    void (*take)(const struct hpmviz_canvas *canvas,
                 const struct hpmviz_plotdata *data,
                 const struct hpmviz_lasso *lasso, gboolean *are_taken);

    /* The row to the right (or left) of and below (or above) one; HPMVIZ_NONE where
     * there is none.  NULL: keys go along the order of the values. */
    guint (*step)(const struct hpmviz_plotdata *data, guint row, int right,
                  int down);

    gboolean is_plane; /* places are anywhere, so a lasso has any shape */
};

extern const struct hpmviz_plot hpmviz_histogramplot, hpmviz_sortedplot,
    hpmviz_heatplot, hpmviz_scatterplot, hpmviz_rooflineplot;

/* Draw all of it but for what is selected: the paper, then the plot; a sentence where
 * there is nothing to plot. */
void hpmviz_plot_draw(const struct hpmviz_plot *plot,
                      const struct hpmviz_canvas *canvas,
                      const struct hpmviz_plotdata *data);

/* Draw where the selected place is, over the plot. */
void hpmviz_plot_mark(const struct hpmviz_plot *plot,
                      const struct hpmviz_canvas *canvas,
                      const struct hpmviz_plotdata *data);

/* What `take` does where each row is drawn at the place that `locate` says. */
void hpmviz_plot_take_located(const struct hpmviz_plot *plot,
                              const struct hpmviz_canvas *canvas,
                              const struct hpmviz_plotdata *data,
                              const struct hpmviz_lasso *lasso,
                              gboolean *are_taken);

/* "ExcSec, s" */
char *hpmviz_plot_title(const struct hpmviz_distribution *distribution);

/* The colour of a value by the box plot: beyond its whiskers or not. */
const char *hpmviz_plot_colour(const struct hpmviz_canvas *canvas,
                               const struct hpmviz_distribution *distribution,
                               guint row);

#endif
