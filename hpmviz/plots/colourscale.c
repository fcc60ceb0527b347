/* SPDX-License-Identifier: BSD-3-Clause
 * Colours for numbers. */
#include "hpmviz/plots/colourscale.h"

#include <math.h>

enum { N_STOPS = 5 };

struct stop {
    double red, green, blue;
};

static const struct stop rising[N_STOPS] = {{20, 35, 95},
                                            {55, 90, 150},
                                            {115, 145, 150},
                                            {190, 190, 110},
                                            {250, 235, 120}};
static const struct stop around_zero[N_STOPS] = {{15, 75, 140},
                                                 {130, 180, 225},
                                                 {245, 245, 245},
                                                 {240, 175, 105},
                                                 {165, 80, 0}};

struct hpmviz_colourscale
hpmviz_colourscale_of(double least, double largest, gboolean is_difference)
{
    double most = fmax(fabs(least), fabs(largest));

    if (is_difference)
        return (struct hpmviz_colourscale){-most, most, TRUE};
    return (struct hpmviz_colourscale){least, largest, FALSE};
}

static guint32
mix(double a, double b, double part)
{
    return (guint32)lround(a + part * (b - a));
}

guint32
hpmviz_colourscale_at(const struct hpmviz_colourscale *scale, double value)
{
    const struct stop *stops = scale->is_signed ? around_zero : rising;
    double part = scale->to > scale->from
                      ? (value - scale->from) / (scale->to - scale->from)
                      : 0.5;
    double at = fmin(fmax(part, 0), 1) * (N_STOPS - 1);
    int below = (int)fmin(floor(at), N_STOPS - 2);
    const struct stop *a = &stops[below], *b = &stops[below + 1];

    at -= below;
    return mix(a->red, b->red, at) << 16 | mix(a->green, b->green, at) << 8 |
           mix(a->blue, b->blue, at);
}
