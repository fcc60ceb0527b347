/* SPDX-License-Identifier: BSD-3-Clause
 * A drawing divided into pages of paper. */
#ifndef HPMVIZ_SHELL_PAGING_H
#define HPMVIZ_SHELL_PAGING_H

#include "hpmviz/shell/drawing.h"

struct hpmviz_paging;

/* What of the drawing is on a page: between these heights, below the headings of
 * a table that goes on (equal heights: none). */
struct hpmviz_page {
    double from, to;
    double head, head_end;
};

/* Of that size in points, 72 an inch.  What is wider than a page is made smaller;
 * a page ends between rows of a table, unless a single piece is higher than a page.
 * The drawing must outlive it. */
struct hpmviz_paging *hpmviz_paging_new(const struct hpmviz_drawing *drawing,
                                        double width, double height);
void hpmviz_paging_free(struct hpmviz_paging *paging);

guint hpmviz_paging_count(const struct hpmviz_paging *paging);
const struct hpmviz_page *hpmviz_paging_nth(const struct hpmviz_paging *paging,
                                            guint page);

/* Points to a unit of the drawing. */
double hpmviz_paging_scale(const struct hpmviz_paging *paging);

/* Draw a page, from 0 on, with its number at the foot where there are several. */
void hpmviz_paging_draw(const struct hpmviz_paging *paging, guint page,
                        cairo_t *pen);

#endif
