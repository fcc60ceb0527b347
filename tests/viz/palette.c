/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts can be read in every palette. */
#include "hpmviz/data/palette.h"

#include "tap.h"

static void
test_contrast(void)
{
    is_near(hpmviz_contrast("#000000", "#ffffff"), 21.0, 1e-9,
            "black on white has the largest contrast");
    is_near(hpmviz_contrast("#767676", "#ffffff"), 4.54, 0.005,
            "a grey of known contrast has it");
    ok(hpmviz_contrast("red", "#ffffff") == 0, "a word has no contrast");
}

static void
test_palettes(void)
{
    static const enum hpm_verdict verdicts[] = {HPM_VERDICT_BAD,
                                                HPM_VERDICT_GOOD};
    int n_tested = 0;

    for (int palette = 0; palette < HPMVIZ_N_PALETTES; palette++) {
        for (int i = 0; i < 4; i++) {
            const struct hpmviz_colours *colours = hpmviz_palette_colours(
                (enum hpmviz_palette)palette, i / 2, verdicts[i % 2]);
            char sentence[128];

            snprintf(sentence, sizeof sentence, "%s, %s, %s can be read",
                     hpmviz_palette_name((enum hpmviz_palette)palette),
                     i / 2 ? "dark" : "light",
                     hpm_verdict_name(verdicts[i % 2]));
            if (colours->background == NULL)
                continue;
            n_tested++;
            ok(hpmviz_contrast(colours->background, colours->text) >= 4.5,
               sentence);
        }
    }
    ok(n_tested == 8, "two palettes have colours, for light and dark");
}

static void
test_strips(void)
{
    for (int i = 0; i < 2; i++) {
        const struct hpmviz_strip *strip = hpmviz_palette_strip(i);

        ok(hpmviz_contrast(strip->text, strip->bar) >= 4.5 &&
               hpmviz_contrast(strip->text, strip->background) >= 4.5,
           i ? "a share can be read on dark" : "a share can be read on light");
        ok(hpmviz_contrast(strip->bar, strip->background) >= 1.4,
           "and its bar be seen");
    }
}

static void
test_names(void)
{
    for (int i = 0; i < HPMVIZ_N_PALETTES; i++)
        ok(hpmviz_palette_find(hpmviz_palette_name((enum hpmviz_palette)i)) ==
               (enum hpmviz_palette)i,
           hpmviz_palette_name((enum hpmviz_palette)i));
    ok(hpmviz_palette_find("rainbow") == HPMVIZ_PALETTE_RED_GREEN &&
           hpmviz_palette_find(NULL) == HPMVIZ_PALETTE_RED_GREEN,
       "an unknown name is the first palette");
    ok(strcmp(hpmviz_verdict_glyph(HPM_VERDICT_BAD),
              hpmviz_verdict_glyph(HPM_VERDICT_GOOD)) != 0 &&
           hpmviz_verdict_glyph(HPM_VERDICT_BAD)[0] != '\0',
       "bad and good have glyphs of their own");
}

int
main(void)
{
    test_contrast();
    test_palettes();
    test_strips();
    test_names();
    return done();
}
