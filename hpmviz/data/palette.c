/* SPDX-License-Identifier: BSD-3-Clause
 * The colours of verdicts. */
#include "hpmviz/data/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct scheme {
    const char *name;
    struct hpmviz_colours bad[2], good[2]; /* on light, on dark */
};

/* Pale red and green are 3 apart (CIE76) to eyes without green cones, orange
 * and blue at least 36 to any. */
static const struct scheme schemes[HPMVIZ_N_PALETTES] = {
    [HPMVIZ_PALETTE_RED_GREEN] = {"red-green",
                                  {{"#f4c7c3", "#8b0000"},
                                   {"#5c1a1a", "#ffc9c9"}},
                                  {{"#c5e8c9", "#00441b"},
                                   {"#123f22", "#b7f0c4"}}},
    [HPMVIZ_PALETTE_ORANGE_BLUE] = {"orange-blue",
                                    {{"#ffd8a8", "#7a3b00"},
                                     {"#6b3a00", "#ffdcb0"}},
                                    {{"#bcd9f7", "#08306b"},
                                     {"#0f3b66", "#cfe5ff"}}},
    [HPMVIZ_PALETTE_PLAIN] = {"plain",
                              {{NULL, NULL}, {NULL, NULL}},
                              {{NULL, NULL}, {NULL, NULL}}},
};

static const struct hpmviz_colours none = {NULL, NULL};

/* On light, on dark; not the colours of the source's scheme: of the style that
 * GtkSourceView gives a gutter the text may be as dark as the bar. */
static const struct hpmviz_strip strips[2] = {
    {"#fdf6f0", "#f4bf99", "#1b1b1b"},
    {"#221a14", "#6d3a12", "#ffffff"},
};

const struct hpmviz_colours *
hpmviz_palette_colours(enum hpmviz_palette palette, bool is_dark,
                       enum hpm_verdict verdict)
{
    if (verdict == HPM_VERDICT_BAD)
        return &schemes[palette].bad[is_dark];
    return verdict == HPM_VERDICT_GOOD ? &schemes[palette].good[is_dark]
                                       : &none;
}

const struct hpmviz_strip *
hpmviz_palette_strip(bool is_dark)
{
    return &strips[is_dark];
}

/* Three to one and more on white, and on #353535. */
static const char *const runs[2][6] = {
    {"#0b62a3", "#b84a00", "#00734d", "#9a3f86", "#5c5c00", "#a3243b"},
    {"#6fb7f2", "#f2a65a", "#5fd0a3", "#e39ad0", "#d6d05a", "#f59aa8"}};

const char *
hpmviz_palette_run(char letter, bool is_dark)
{
    return runs[is_dark][(letter - 'A') % 6];
}

const char *
hpmviz_palette_name(enum hpmviz_palette palette)
{
    return schemes[palette].name;
}

enum hpmviz_palette
hpmviz_palette_find(const char *name)
{
    for (int i = 0; name != NULL && i < HPMVIZ_N_PALETTES; i++) {
        if (strcmp(schemes[i].name, name) == 0)
            return (enum hpmviz_palette)i;
    }
    return HPMVIZ_PALETTE_RED_GREEN;
}

const char *
hpmviz_verdict_glyph(enum hpm_verdict verdict)
{
    if (verdict == HPM_VERDICT_BAD)
        return "✗";
    return verdict == HPM_VERDICT_GOOD ? "✓" : "";
}

/* ---- contrast -------------------------------------------------------- */

static double
linear(unsigned channel)
{
    double part = channel / 255.0;

    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

/* Negative for what is no colour. */
static double
luminance(const char *colour)
{
    unsigned red, green, blue;

    if (strlen(colour) != 7 ||
        sscanf(colour, "#%2x%2x%2x", &red, &green, &blue) != 3)
        return -1;
    return 0.2126 * linear(red) + 0.7152 * linear(green) +
           0.0722 * linear(blue);
}

double
hpmviz_contrast(const char *a, const char *b)
{
    double x = luminance(a), y = luminance(b);

    if (x < 0 || y < 0)
        return 0;
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}
