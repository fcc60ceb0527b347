/* SPDX-License-Identifier: BSD-3-Clause
 * What strips beside the source draw in a line: a bar, and a number over it. */
#ifndef HPMVIZ_SOURCE_GUTTERBAR_H
#define HPMVIZ_SOURCE_GUTTERBAR_H

#include <gtksourceview/gtksource.h>

#include "hpmviz/data/palette.h"

/* `part` of the area, 0 to 1. */
void hpmviz_gutterbar_draw(cairo_t *cairo, const GdkRectangle *area,
                           double part, const struct hpmviz_strip *strip);

/* At the right end of the area, in the letters of the view. */
void hpmviz_gutterbar_draw_text(GtkWidget *view, cairo_t *cairo,
                                const GdkRectangle *area, const char *text,
                                const struct hpmviz_strip *strip);

/* Make a strip that has a view as wide as so many digits. */
void hpmviz_gutterbar_set_width(GtkSourceGutterRenderer *strip, int n_digits);

#endif
