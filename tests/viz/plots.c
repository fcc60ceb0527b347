/* SPDX-License-Identifier: BSD-3-Clause
 * Plots of many places: what is drawn is found again, and what is odd is seen. */
#include "hpmviz/plots/plot.h"

#include <stdlib.h>

#include "hpmviz/data/palette.h"
#include "hpmviz/plots/axis.h"
#include "hpmviz/plots/colourscale.h"
#include "tap.h"

/* For the leak sanitizer: fontconfig keeps the fonts that it has found. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
    return "leak:libfontconfig.so\nleak:libpango\n";
}

enum { N_TASKS = 2000, N_THREADS = 10, N = N_TASKS * N_THREADS };

enum { WIDTH = 400, HEIGHT = 300, EM = 14 };

/* Row of the thread with the large value, and of the one without a value. */
enum { ODD = 12345, NONE_AT = 777 };

static struct hpm_study study = {.kind = HPM_STUDY_MERGED};
static struct hpm_quantity quantities[2] = {
    {.kind = HPM_QUANTITY_EXCLUSIVE, .name = "ExcSec", .unit = "s"},
    {.kind = HPM_QUANTITY_METRIC, .name = "IPC", .unit = ""}};
static struct hpm_survey survey = {
    .study = &study, .quantities = quantities, .n_quantities = 2};
static size_t columns[2] = {0, 1};
static struct hpmviz_sheet sheet = {
    .survey = &survey, .n_rows = N, .quantities = columns, .n_columns = 2};

static struct hpmviz_distribution *times, *ratios;
static struct hpmviz_placegrid *grid;
static struct hpmviz_plotdata shown;

static void
make_sheet(void)
{
    sheet.places = g_new0(struct hpmviz_place, N);
    sheet.values = g_new0(struct hpmviz_value, 2 * N);
    for (int i = 0; i < N; i++) {
        double noise = (i * 7919 % 1000) / 1000.0; /* each thousandth */

        sheet.places[i].task = i / N_THREADS;
        sheet.places[i].tid = i % N_THREADS;
        sheet.values[2 * i].value = i == ODD       ? 9.0
                                    : i == NONE_AT ? NAN
                                                   : 1.0 + noise / 10;
        sheet.values[2 * i + 1].value = 2.0 - noise;
        sheet.values[2 * i].is_present = sheet.values[2 * i + 1].is_present =
            TRUE;
    }
    times = hpmviz_distribution_new(&sheet, 0);
    ratios = hpmviz_distribution_new(&sheet, 1);
    grid = hpmviz_placegrid_of_threads(times);
    shown = (struct hpmviz_plotdata){
        .x = times, .selected = HPMVIZ_NONE, .grid = grid, .y = ratios};
}

static void
free_sheet(void)
{
    hpmviz_placegrid_free(grid);
    hpmviz_distribution_free(times);
    hpmviz_distribution_free(ratios);
    g_free(sheet.places);
    g_free(sheet.values);
}

/* ---- finding ------------------------------------------------------------- */

/* Is what is found where a row is drawn drawn at the same place? */
static gboolean
finds(const struct hpmviz_plot *plot, guint row)
{
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(WIDTH, HEIGHT, EM);
    double x, y, found_x, found_y;
    guint found;

    if (!plot->locate(&canvas, &shown, row, &x, &y))
        return FALSE;
    found = plot->find(&canvas, &shown, x, y);
    return found != HPMVIZ_NONE &&
           plot->locate(&canvas, &shown, found, &found_x, &found_y) &&
           fabs(found_x - x) < 2 && fabs(found_y - y) < 2;
}

static gboolean
takes(const struct hpmviz_plot *plot, guint row)
{
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(WIDTH, HEIGHT, EM);
    g_autofree gboolean *are_taken = g_new0(gboolean, N);
    struct hpmviz_lasso lasso;
    double x, y;

    if (!plot->locate(&canvas, &shown, row, &x, &y))
        return FALSE;
    lasso =
        (struct hpmviz_lasso){.x = x - 1, .y = y - 1, .x2 = x + 1, .y2 = y + 1};
    plot->take(&canvas, &shown, &lasso, are_taken);
    return are_taken[row] && !are_taken[row > N / 2 ? 100 : N - 100];
}

static void
test_finding(const struct hpmviz_plot *plot)
{
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(WIDTH, HEIGHT, EM);
    g_autofree char *sentence =
        g_strdup_printf("%s: each place is found where it is drawn", plot->id);
    gboolean are_found = TRUE;
    double x, y;

    for (guint i = 0; i < N; i += 997)
        are_found &= i == NONE_AT || finds(plot, i);
    ok(are_found, sentence);
    ok(plot->locate(&canvas, &shown, ODD, &x, &y) &&
           plot->find(&canvas, &shown, x, y) == ODD,
       "the odd one of 20,000 is itself found");
    ok(takes(plot, ODD), "and alone in a frame around it");
    ok(plot->find(&canvas, &shown, -5, -5) == HPMVIZ_NONE &&
           plot->find(&canvas, &shown, WIDTH + 5, HEIGHT + 5) == HPMVIZ_NONE,
       "beside the plot is nothing");
}

static void
test_none(void)
{
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(WIDTH, HEIGHT, EM);
    double x, y;

    ok(!hpmviz_histogramplot.locate(&canvas, &shown, NONE_AT, &x, &y) &&
           !hpmviz_sortedplot.locate(&canvas, &shown, NONE_AT, &x, &y) &&
           !hpmviz_scatterplot.locate(&canvas, &shown, NONE_AT, &x, &y),
       "a place without a value is at no value");
    ok(hpmviz_heatplot.locate(&canvas, &shown, NONE_AT, &x, &y),
       "but has its cell among tasks and threads");
}

/* ---- drawing ------------------------------------------------------------- */

static cairo_surface_t *
draw(const struct hpmviz_plot *plot, double width, double height)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(width, height, EM);

    canvas.cairo = cairo_create(surface);
    canvas.layout = pango_cairo_create_layout(canvas.cairo);
    hpmviz_plot_draw(plot, &canvas, &shown);
    hpmviz_plot_mark(plot, &canvas, &shown);
    g_object_unref(canvas.layout);
    cairo_destroy(canvas.cairo);
    cairo_surface_flush(surface);
    return surface;
}

static guint32
pixel(cairo_surface_t *surface, double x, double y)
{
    const unsigned char *bytes = cairo_image_surface_get_data(surface);
    const guint32 *line =
        (const guint32 *)(const void *)(bytes +
                                        (int)y * cairo_image_surface_get_stride(
                                                     surface));

    return line[(int)x] & 0xffffff;
}

static void
test_odd_cell(void)
{
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(WIDTH, HEIGHT, EM);
    struct hpmviz_colourscale colours =
        hpmviz_colourscale_of(times->values[0], 9.0, FALSE);
    cairo_surface_t *surface = draw(&hpmviz_heatplot, WIDTH, HEIGHT);
    double x = 0, y = 0;

    hpmviz_heatplot.locate(&canvas, &shown, ODD, &x, &y);
    ok(pixel(surface, x, y) == hpmviz_colourscale_at(&colours, 9.0),
       "of ten cells at one pixel the odd one is drawn");
    cairo_surface_destroy(surface);
}

/* The colour in the middle of the second of two cells. */
static guint32
colour_of_cell(guint row)
{
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(WIDTH, HEIGHT, EM);
    guint cells[2] = {0, row};
    int names[2] = {0, 1};
    char none[] = "";
    struct hpmviz_placegrid small = {.n_columns = 2,
                                     .n_rows = 1,
                                     .cells = cells,
                                     .at = g_new0(guint, N),
                                     .column_names = names,
                                     .row_names = names,
                                     .column_title = none,
                                     .row_title = none};
    cairo_surface_t *surface;
    double x = 0, y = 0;
    guint32 colour;

    small.at[1] = 1;
    shown.grid = &small;
    hpmviz_heatplot.locate(&canvas, &shown, 1, &x, &y);
    surface = draw(&hpmviz_heatplot, WIDTH, HEIGHT);
    colour = pixel(surface, x, y);
    cairo_surface_destroy(surface);
    shown.grid = grid;
    g_free(small.at);
    return colour;
}

static void
test_no_place(void)
{
    guint32 paper = (guint32)g_ascii_strtoull(
        hpmviz_canvas_look(FALSE)->paper + 1, NULL, 16);

    ok(colour_of_cell(HPMVIZ_NONE) == paper,
       "where there is no place the paper is empty");
    ok(colour_of_cell(NONE_AT) != paper, "a place without a value has a cross");
}

/* Sizes that leave no room, and values that have no range. */
static void
test_sizes(void)
{
    static const struct hpmviz_plot *const plots[] = {
        &hpmviz_histogramplot, &hpmviz_sortedplot, &hpmviz_heatplot,
        &hpmviz_scatterplot, &hpmviz_rooflineplot};
    static const double sizes[][2] = {
        {1, 1}, {60, 20}, {20, 400}, {2000, 40}, {1000, 800}};

    for (size_t i = 0; i < G_N_ELEMENTS(plots) * G_N_ELEMENTS(sizes); i++) {
        const double *size = sizes[i / G_N_ELEMENTS(plots)];

        cairo_surface_destroy(
            draw(plots[i % G_N_ELEMENTS(plots)], size[0], size[1]));
    }
    ok(TRUE, "plots of any size are drawn, or left out");
}

/* ---- scales -------------------------------------------------------------- */

static void
test_scales(void)
{
    struct hpmviz_scale line = hpmviz_scale_of(2, 4, 100, 300);
    struct hpmviz_scale one = hpmviz_scale_of(5, 5, 0, 100);
    struct hpmviz_scale log = {1, 100, 0, 200, TRUE, FALSE};

    is_near(hpmviz_scale_at(&line, 3), 200, 1e-9,
            "the middle is in the middle");
    is_near(hpmviz_scale_value(&line, hpmviz_scale_at(&line, 2.7)), 2.7, 1e-9,
            "there and back");
    is_near(hpmviz_scale_at(&one, 5), 50, 1e-9,
            "a single value is in the middle");
    is_near(hpmviz_scale_at(&log, 10), 100, 1e-9, "logarithms are even");
    is_near(hpmviz_scale_value(&log, 100), 10, 1e-9, "there and back");
}

static void
test_colours(void)
{
    struct hpmviz_colourscale rising = hpmviz_colourscale_of(0, 100, FALSE);
    struct hpmviz_colourscale around = hpmviz_colourscale_of(-3, 10, TRUE);
    double before = 0;
    gboolean is_rising = TRUE;

    for (int i = 0; i <= 100; i += 5) {
        char colour[8];
        double contrast;

        g_snprintf(colour, sizeof colour, "#%06x",
                   hpmviz_colourscale_at(&rising, i));
        contrast = hpmviz_contrast("#000000", colour);
        is_rising &= contrast > before;
        before = contrast;
    }
    ok(is_rising, "the larger of two values is the lighter one");
    ok(around.from == -10 && around.to == 10 &&
           hpmviz_colourscale_at(&around, 0) == 0xf5f5f5,
       "a difference of 0 is white");
    for (int is_dark = 0; is_dark < 2; is_dark++) {
        const struct hpmviz_plotlook *look = hpmviz_canvas_look(is_dark);

        ok(hpmviz_contrast(look->paper, look->ink) >= 7 &&
               hpmviz_contrast(look->paper, look->mark) >= 3 &&
               hpmviz_contrast(look->paper, look->odd) >= 3,
           "marks are told from the paper");
    }
}

/* Go along these corners. */
static struct hpmviz_lasso
draw_around(const double (*corners)[2], guint n)
{
    struct hpmviz_lasso lasso = {.corners = NULL};

    hpmviz_lasso_begin(&lasso, corners[0][0], corners[0][1], TRUE);
    for (guint i = 1; i < n; i++)
        hpmviz_lasso_extend(&lasso, corners[i][0], corners[i][1]);
    return lasso;
}

static void
test_lasso(void)
{
    static const double hook[][2] = {{10, 10}, {90, 10}, {90, 90},
                                     {70, 90}, {70, 30}, {10, 30}};
    static const double twice[][2] = {{10, 10}, {90, 10}, {90, 90}, {10, 90},
                                      {10, 10}, {60, 10}, {60, 60}, {10, 60}};
    struct hpmviz_lasso lasso = draw_around(hook, G_N_ELEMENTS(hook));

    ok(hpmviz_lasso_has(&lasso, 50, 20) && hpmviz_lasso_has(&lasso, 80, 80) &&
           hpmviz_lasso_has(&lasso, 11, 29),
       "what a hook goes around is in it");
    ok(!hpmviz_lasso_has(&lasso, 40, 60) && !hpmviz_lasso_has(&lasso, 69, 31) &&
           !hpmviz_lasso_has(&lasso, 95, 50),
       "and not what is beside it within its frame");
    hpmviz_lasso_clear(&lasso);
    lasso = draw_around(twice, G_N_ELEMENTS(twice));
    ok(hpmviz_lasso_has(&lasso, 30, 30) && hpmviz_lasso_has(&lasso, 80, 80),
       "what it goes around twice is inside");
    hpmviz_lasso_begin(&lasso, 50, 50, TRUE);
    hpmviz_lasso_extend(&lasso, 52, 51);
    ok(hpmviz_lasso_is_point(&lasso), "a click that trembles is a click");
    hpmviz_lasso_begin(&lasso, 50, 50, FALSE);
    hpmviz_lasso_extend(&lasso, 20, 80);
    ok(hpmviz_lasso_has(&lasso, 21, 79) && !hpmviz_lasso_has(&lasso, 51, 60),
       "a frame has all between two corners");
}

/* Three corners around a place: others within the frame are not taken. */
static void
test_taking(void)
{
    struct hpmviz_canvas canvas = hpmviz_canvas_of_size(WIDTH, HEIGHT, EM);
    g_autofree gboolean *free_ones = g_new0(gboolean, N);
    g_autofree gboolean *framed = g_new0(gboolean, N);
    double left = 0, right = WIDTH, top = 0, bottom = HEIGHT;
    const double corners[][2] = {{left, top}, {right, bottom}, {left, bottom}};
    struct hpmviz_lasso lasso = draw_around(corners, G_N_ELEMENTS(corners));
    gboolean is_good = TRUE;
    guint n_free = 0, n_framed = 0;

    hpmviz_scatterplot.take(&canvas, &shown, &lasso, free_ones);
    g_clear_pointer(&lasso.corners, g_array_unref);
    hpmviz_scatterplot.take(&canvas, &shown, &lasso, framed);
    for (guint i = 0; i < N; i++) {
        double x, y;

        n_free += free_ones[i] != 0;
        n_framed += framed[i] != 0;
        if (hpmviz_scatterplot.locate(&canvas, &shown, i, &x, &y))
            is_good &= (free_ones[i] != 0) ==
                       (y / HEIGHT > x / WIDTH || y / HEIGHT == x / WIDTH);
    }
    ok(is_good && n_free > 0 && n_free < n_framed,
       "of the dots those inside of a lasso are taken");
}

int
main(void)
{
    make_sheet();
    test_finding(&hpmviz_histogramplot);
    test_finding(&hpmviz_sortedplot);
    test_finding(&hpmviz_heatplot);
    test_finding(&hpmviz_scatterplot);
    test_none();
    test_odd_cell();
    test_no_place();
    test_sizes();
    test_lasso();
    test_taking();
    test_scales();
    test_colours();
    free_sheet();
    return done();
}
