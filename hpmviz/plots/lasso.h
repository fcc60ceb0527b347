/* SPDX-License-Identifier: BSD-3-Clause
 * What the pointer was drawn around, or over, in a plot. */
#ifndef HPMVIZ_PLOTS_LASSO_H
#define HPMVIZ_PLOTS_LASSO_H

#include "hpmviz/plots/canvas.h"

struct hpmviz_lasso {
    double x, y, x2, y2;   /* the frame around it: x <= x2, y <= y2 */
    double from_x, from_y; /* where it begins */
    GArray *corners;       /* double, x and y of each; NULL: it is that frame */
};

/* Begin one at a point, of the shape in which the pointer goes or a frame; what it
 * was before is cleared. */
void hpmviz_lasso_begin(struct hpmviz_lasso *lasso, double x, double y,
                        gboolean is_free);
void hpmviz_lasso_clear(struct hpmviz_lasso *lasso);

/* The pointer is here now. */
void hpmviz_lasso_extend(struct hpmviz_lasso *lasso, double x, double y);

/* Is it so small that the pointer only trembled? */
gboolean hpmviz_lasso_is_point(const struct hpmviz_lasso *lasso);

/* Is the point inside?  A line that is not closed is, from its end to its
 * beginning; what it goes around twice is inside, too. */
gboolean hpmviz_lasso_has(const struct hpmviz_lasso *lasso, double x, double y);

void hpmviz_lasso_draw(const struct hpmviz_lasso *lasso,
                       const struct hpmviz_canvas *canvas);

#endif
