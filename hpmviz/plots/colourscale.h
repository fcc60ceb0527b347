/* SPDX-License-Identifier: BSD-3-Clause
 * Colours for numbers, told apart by all eyes: lightness alone says which of two is
 * the larger. */
#ifndef HPMVIZ_PLOTS_COLOURSCALE_H
#define HPMVIZ_PLOTS_COLOURSCALE_H

#include <glib.h>

/* From dark blue to light yellow; of differences from blue over white at 0 to
 * orange. */
struct hpmviz_colourscale {
    double from, to;
    gboolean is_signed; /* from is -to */
};

/* Of values from the least to the largest. */
struct hpmviz_colourscale hpmviz_colourscale_of(double least, double largest,
                                                gboolean is_difference);

/* 0xRRGGBB */
guint32 hpmviz_colourscale_at(const struct hpmviz_colourscale *scale,
                              double value);

#endif
