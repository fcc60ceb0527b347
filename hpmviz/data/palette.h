/* SPDX-License-Identifier: BSD-3-Clause
 * The colours of verdicts.  A verdict never shows by colour alone: the glyph
 * says the same. */
#ifndef HPMVIZ_DATA_PALETTE_H
#define HPMVIZ_DATA_PALETTE_H

#include <stdbool.h>

#include "metric/language/threshold.h"

enum hpmviz_palette {
    HPMVIZ_PALETTE_RED_GREEN,   /* the paper's */
    HPMVIZ_PALETTE_ORANGE_BLUE, /* told apart by all eyes */
    HPMVIZ_PALETTE_PLAIN,       /* glyphs and weight alone */
    HPMVIZ_N_PALETTES
};

/* "#rrggbb"; NULL leaves what the theme has. */
struct hpmviz_colours {
    const char *background;
    const char *text;
};

/* Of a cell with such a verdict, on a light or a dark theme. */
const struct hpmviz_colours *hpmviz_palette_colours(enum hpmviz_palette palette,
                                                    bool is_dark,
                                                    enum hpm_verdict verdict);

/* Of the strip that shows a section's share: what it is filled with, the bar in
 * it, and the number over both. */
struct hpmviz_strip {
    const char *background, *bar, *text;
};

const struct hpmviz_strip *hpmviz_palette_strip(bool is_dark);

/* Of a run, by its letter: beside each other told apart by all eyes, and from the
 * theme's background. */
const char *hpmviz_palette_run(char letter, bool is_dark);

/* "red-green" ..., as preferences hold it. */
const char *hpmviz_palette_name(enum hpmviz_palette palette);

/* The palette of that name; the first for any other name, or NULL. */
enum hpmviz_palette hpmviz_palette_find(const char *name);

/* What stands before a number with this verdict: one character, "" for none. */
const char *hpmviz_verdict_glyph(enum hpm_verdict verdict);

/* How well text can be read on a background, 1 to 21, by the formula of WCAG
 * 2.1 (relative luminance, contrast ratio); 0 for what is not "#rrggbb". */
double hpmviz_contrast(const char *a, const char *b);

#endif
