/* SPDX-License-Identifier: BSD-3-Clause
 * Costs of source lines: the section of a line, and the next one. */
#include "hpmviz/source/heat.h"

#include <math.h>
#include <string.h>

#include "hpmviz/source/lineheat.h"

#include "tap.h"

static int
twice(int line, gpointer data)
{
    return 2 * line + *(int *)data;
}

/* "outer" is around the others; "odd" is recorded with an end before its begin,
 * "nowhere" without a line. */
static void
test_lines(void)
{
    struct hpm_study_section sections[] = {
        {.file = (char *)"a.f", .label = (char *)"outer", .line = 10},
        {.file = (char *)"a.f", .label = (char *)"inner", .line = 12},
        {.file = (char *)"a.f", .label = (char *)"odd", .line = 30},
        {.file = (char *)"a.f", .label = (char *)"nowhere", .line = 0},
        {.file = (char *)"b.f", .label = (char *)"other", .line = 11},
    };
    struct hpm_subject subjects[] = {
        {.section = 0, .line_end = 20, .share = 0.1},
        {.section = 1, .line_end = 14, .share = 0.6},
        {.section = 2, .line_end = 5, .share = 0.2},
        {.section = 3, .line_end = 0, .share = 0.05},
        {.section = 4, .line_end = 12, .share = 0.05},
    };
    struct hpm_study study = {.sections = sections, .n_sections = 5};
    struct hpm_survey survey = {
        .study = &study, .subjects = subjects, .n_subjects = 5};
    struct hpmviz_heat heat;
    int by = 100, *lines;
    guint n;

    hpmviz_heat_init(&heat, &survey, "a.f", sections[0].scope);
    is_count(heat.n_stretches, 3, "sections with lines of the file have heat");
    is_near(heat.most, 0.6, 0, "the hottest is the measure");
    ok(hpmviz_heat_at(&heat, 9) == NULL && hpmviz_heat_at(&heat, 21) == NULL,
       "lines around a section are cold");
    is_count(hpmviz_heat_at(&heat, 10)->subject, 0, "its first line is in it");
    is_count(hpmviz_heat_at(&heat, 13)->subject, 1, "the innermost decides");
    is_count(hpmviz_heat_at(&heat, 30)->subject, 2,
             "an end before the beginning is none");
    ok(hpmviz_heat_at(&heat, 31) == NULL, "so it has one line");
    hpmviz_heat_cut(&heat, 29);
    ok(heat.n_stretches == 2 && hpmviz_heat_at(&heat, 30) == NULL,
       "what begins beyond the end of the file is not there");
    hpmviz_heat_move(&heat, twice, &by);
    ok(hpmviz_heat_at(&heat, 120)->subject == 0 &&
           hpmviz_heat_at(&heat, 128)->subject == 1 &&
           hpmviz_heat_at(&heat, 12) == NULL,
       "sections move with their lines");
    hpmviz_heat_clear(&heat);
    lines = hpmviz_heat_lines(&survey, "b.f", &n);
    ok(n == 2 && lines[0] == 11 && lines[1] == 12,
       "lines of a file are the beginnings and ends of its sections");
    g_free(lines);
}

static void
test_steps(void)
{
    const double values[] = {3, NAN, 7, 3, 1, NAN, 7};
    const size_t order[] = {2, 6, 0, 3, 4};
    size_t at = SIZE_MAX;

    for (size_t i = 0; i < 5; i++) {
        at = hpmviz_heat_step(values, 7, at, 1);
        is_count(at, order[i], "the next is the hottest that is colder");
    }
    is_count(hpmviz_heat_step(values, 7, at, 1), SIZE_MAX,
             "after the coldest comes none");
    for (size_t i = 4; i-- > 0;) {
        at = hpmviz_heat_step(values, 7, at, -1);
        is_count(at, order[i], "the way back is the same");
    }
    is_count(hpmviz_heat_step(values, 7, at, -1), SIZE_MAX,
             "before the hottest comes none");
    is_count(hpmviz_heat_step(values, 7, 1, -1), 2,
             "from one without a value the hottest is next");
    is_count(hpmviz_heat_step(values, 0, 0, 1), SIZE_MAX,
             "of none there is none");
}

static void
test_short_changes(void)
{
    static const struct {
        double change;
        gboolean is_partial, is_doubtful;
        const char *text;
    } cases[] = {
        {-180, FALSE, FALSE, "-180"},
        {57.6, FALSE, FALSE, "+57.6"},
        {-1.3271e-05, FALSE, FALSE, "-13.3u"},
        {0.25, FALSE, FALSE, "+250m"},
        {-3270000000.0, TRUE, TRUE, "~-3.27G ?"},
        {0, FALSE, FALSE, "+0"},
        {999.6, FALSE, FALSE, "+1k"},
        {-999999, FALSE, FALSE, "-1M"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const struct hpmviz_stretch stretch = {
            .change = cases[i].change,
            .is_partial = cases[i].is_partial,
            .is_doubtful = cases[i].is_doubtful};
        g_autofree char *text = hpmviz_heat_short_change(&stretch);

        is_text(text, cases[i].text, "a change is short beside its line");
        ok(strlen(text) <= HPMVIZ_HEAT_WIDTH, "and fits there");
    }
}

/* Debug information names files in its own way. */
static void
test_samples(void)
{
    struct hpm_study_sampled sampled = {.name = (char *)"cycles"};
    struct hpm_study study = {.sampled = &sampled, .n_sampled = 1};
    struct hpm_hotspot spots[] = {
        {.name = "f", .module = "app", .line = "/src/b/util.c:7", .n = 30},
        {.name = "g", .module = "app", .line = "/src/b/util.c:7", .n = 10},
        {.name = "g", .module = "app", .line = "/src/b/util.c:3", .n = 5},
        {.name = "f", .module = "app", .line = "/src/a/util.c:7", .n = 40},
        {.name = "h", .module = "app", .line = "/src/b/myutil.c:7", .n = 14},
        {.name = "x", .module = "app", .line = "", .n = 1},
    };
    struct hpm_hotspots_part part = {
        .section = HPM_NO_INDEX, .n_taken = 100, .spots = spots, .n_spots = 6};
    const struct hpm_hotspots hotspots = {
        .study = &study, .parts = &part, .n_parts = 1};
    struct hpmviz_lineheat heat;
    int by = 1;
    char *text;

    hpmviz_lineheat_init(&heat, &hotspots, 0, "../b/util.c");
    ok(heat.n_lines == 2 && hpmviz_lineheat_at(&heat, 7) == 40 &&
           hpmviz_lineheat_at(&heat, 3) == 5 && heat.most == 40,
       "a line has the samples of all functions in it, of one file of a name");
    hpmviz_lineheat_move(&heat, twice, &by);
    ok(hpmviz_lineheat_at(&heat, 15) == 40 && hpmviz_lineheat_at(&heat, 7) == 5,
       "samples move with their lines");
    text = hpmviz_lineheat_describe(&heat, 15);
    ok(text != NULL && strcmp(text, "cycles: 40 samples, 40.0 % (30.9 to 49.8) "
                                    "of all") == 0,
       "in words with share and interval");
    g_free(text);
    ok(hpmviz_lineheat_describe(&heat, 8) == NULL, "or none");
    ok(hpmviz_lineheat_step(&heat, 8, 1) == 15 &&
           hpmviz_lineheat_step(&heat, 8, -1) == 15,
       "from a line without samples a step leads to the hottest");
    ok(hpmviz_lineheat_step(&heat, 15, 1) == 7 &&
           hpmviz_lineheat_step(&heat, 7, -1) == 15,
       "from there to the next, and back, as lines are numbered now");
    ok(hpmviz_lineheat_step(&heat, 7, 1) == 0 &&
           hpmviz_lineheat_step(&heat, 15, -1) == 0,
       "and at either end nowhere");
    hpmviz_lineheat_clear(&heat);
    ok(hpmviz_lineheat_step(&heat, 7, 1) == 0, "without samples, too");
    hpmviz_lineheat_init(&heat, &hotspots, 0, "til.c");
    is_count(heat.n_lines, 0, "a part of a name is another file");
    hpmviz_lineheat_clear(&heat);
    hpmviz_lineheat_init(&heat, &hotspots, 0, "/src/c/util.c");
    is_count(heat.n_lines, 0, "a file without samples has none of another's");
    hpmviz_lineheat_clear(&heat);
    hpmviz_lineheat_init(&heat, &hotspots, 0, "b/util.c");
    hpmviz_lineheat_cut(&heat, 6);
    ok(heat.n_lines == 1 && heat.most == 5 && hpmviz_lineheat_at(&heat, 3) == 5,
       "samples beyond the end of the file are in no line of it");
    hpmviz_lineheat_clear(&heat);
}

int
main(void)
{
    test_lines();
    test_short_changes();
    test_samples();
    test_steps();
    return done();
}
