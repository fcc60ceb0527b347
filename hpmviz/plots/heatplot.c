/* SPDX-License-Identifier: BSD-3-Clause
 * Places as coloured cells: tasks by threads, or in the program's grid. */
#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/plots/axis.h"
#include "hpmviz/plots/colourscale.h"
#include "hpmviz/plots/plot.h"

struct layout {
    struct hpmviz_frame frame; /* of the cells */
    double width, height;      /* of a cell */
    double legend;             /* left edge of the colours' legend */
};

static struct layout
lay_out(const struct hpmviz_canvas *canvas, const struct hpmviz_placegrid *grid)
{
    struct layout layout = {.frame = hpmviz_frame_of(canvas)};
    struct hpmviz_frame *frame = &layout.frame;
    double most = 3 * canvas->em;

    layout.legend = frame->right - 6 * canvas->em;
    frame->right = layout.legend - canvas->em;
    layout.width = fmin((frame->right - frame->left) / grid->n_columns, most);
    layout.height = fmin((frame->bottom - frame->top) / grid->n_rows, most);
    if (grid->is_square)
        layout.width = layout.height = fmin(layout.width, layout.height);
    frame->right = frame->left + layout.width * grid->n_columns;
    frame->bottom = frame->top + layout.height * grid->n_rows;
    return layout;
}

static gboolean
is_empty(const struct layout *layout)
{
    return !(layout->width > 0) || !(layout->height > 0);
}

/* Cells large enough to have a mark in them. */
static gboolean
has_room(const struct hpmviz_canvas *canvas, const struct layout *layout)
{
    return fmin(layout->width, layout->height) > canvas->em / 2;
}

static struct hpmviz_colourscale
colours_of(const struct hpmviz_distribution *values)
{
    return hpmviz_colourscale_of(
        values->values[0], values->values[values->n - 1],
        hpm_survey_is_difference(values->sheet->survey));
}

/* ---- cells ------------------------------------------------------------ */

/* An image with a pixel for each cell; of more cells than the plot has pixels, a
 * pixel is the cell with the value farthest from the median, so that what is odd is
 * seen however many places there are. */
struct image {
    int width, height;
    guint *rows; /* per pixel: a row of the sheet, HPMVIZ_NONE or HPMVIZ_GAP */
};

static gboolean
is_odder(const struct hpmviz_distribution *values, guint row, guint than)
{
    if (row >= HPMVIZ_GAP)
        return FALSE;
    if (than >= HPMVIZ_GAP || values->ranks[than] == HPMVIZ_NONE)
        return TRUE;
    return values->ranks[row] != HPMVIZ_NONE &&
           hpmviz_distribution_oddness(values, row) >
               hpmviz_distribution_oddness(values, than);
}

static struct image
make_image(const struct hpmviz_plotdata *data, const struct layout *layout)
{
    const struct hpmviz_placegrid *grid = data->grid;
    struct image image = {
        .width = (int)fmin(grid->n_columns,
                           ceil(layout->frame.right - layout->frame.left)),
        .height = (int)fmin(grid->n_rows,
                            ceil(layout->frame.bottom - layout->frame.top))};
    gsize n = (gsize)image.width * (gsize)image.height;

    image.rows = g_new(guint, n + 1);
    for (gsize i = 0; i < n; i++)
        image.rows[i] = HPMVIZ_GAP;
    for (guint line = 0; line < grid->n_rows; line++) {
        gsize y = (gsize)line * (gsize)image.height / grid->n_rows;

        for (guint column = 0; column < grid->n_columns; column++) {
            gsize x = (gsize)column * (gsize)image.width / grid->n_columns;
            guint row = grid->cells[line * grid->n_columns + column];
            guint *pixel = &image.rows[y * (gsize)image.width + x];

            if (is_odder(data->x, row, *pixel))
                *pixel = row;
        }
    }
    return image;
}

static guint32
number_of(const char *colour)
{
    return (guint32)g_ascii_strtoull(colour + 1, NULL, 16);
}

static guint32
colour_of(const struct hpmviz_canvas *canvas,
          const struct hpmviz_distribution *values,
          const struct hpmviz_colourscale *colours, guint row)
{
    if (row >= HPMVIZ_GAP)
        return number_of(canvas->look->paper);
    if (values->ranks[row] == HPMVIZ_NONE)
        return number_of(canvas->look->line);
    return hpmviz_colourscale_at(colours,
                                 hpmviz_distribution_value(values, row));
}

static void
draw_cells(const struct hpmviz_canvas *canvas,
           const struct hpmviz_plotdata *data, const struct layout *layout)
{
    struct hpmviz_colourscale colours = colours_of(data->x);
    struct image image = make_image(data, layout);
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, image.width, image.height);
    unsigned char *bytes = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);

    for (int y = 0; bytes != NULL && y < image.height; y++) {
        guint32 *line = (guint32 *)(void *)(bytes + y * stride);

        for (int x = 0; x < image.width; x++)
            line[x] = colour_of(canvas, data->x, &colours,
                                image.rows[y * image.width + x]);
    }
    cairo_surface_mark_dirty(surface);
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, layout->frame.left, layout->frame.top);
    cairo_scale(canvas->cairo,
                (layout->frame.right - layout->frame.left) / image.width,
                (layout->frame.bottom - layout->frame.top) / image.height);
    cairo_set_source_surface(canvas->cairo, surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(canvas->cairo),
                             CAIRO_FILTER_NEAREST);
    cairo_rectangle(canvas->cairo, 0, 0, image.width, image.height);
    cairo_fill(canvas->cairo);
    cairo_restore(canvas->cairo);
    cairo_surface_destroy(surface);
    g_free(image.rows);
}

/* Nothing where there is no place, a cross where it has no value, a ring where it was not counted all the time. */
static void
draw_marks(const struct hpmviz_canvas *canvas,
           const struct hpmviz_plotdata *data, const struct layout *layout)
{
    const struct hpmviz_placegrid *grid = data->grid;

    for (guint i = 0; i < grid->n_columns * grid->n_rows; i++) {
        guint row = grid->cells[i];
        double x =
            layout->frame.left + (i % grid->n_columns + 0.5) * layout->width;
        double y =
            layout->frame.top + (i / grid->n_columns + 0.5) * layout->height;
        double reach = canvas->em / 6;

        if (row >= HPMVIZ_GAP)
            continue;
        if (data->x->ranks[row] == HPMVIZ_NONE) {
            hpmviz_canvas_line(canvas, canvas->look->ink, x - reach, y - reach,
                               x + reach, y + reach);
            hpmviz_canvas_line(canvas, canvas->look->ink, x - reach, y + reach,
                               x + reach, y - reach);
        } else if (hpmviz_distribution_is_derived(data->x, row)) {
            hpmviz_canvas_dot(canvas, "#ffffff", x, y, reach + 1, FALSE);
            hpmviz_canvas_dot(canvas, "#000000", x, y, reach, TRUE);
        }
    }
}

/* ---- what stands around ------------------------------------------------ */

static void
draw_names(const struct hpmviz_canvas *canvas,
           const struct hpmviz_plotdata *data, const struct layout *layout)
{
    const struct hpmviz_placegrid *grid = data->grid;
    double last = -INFINITY;

    for (guint i = 0; i < grid->n_columns; i++) {
        double x = layout->frame.left + (i + 0.5) * layout->width;
        char number[16];

        if (grid->column_names[i] < 0 || x - last < 2 * canvas->em)
            continue;
        g_snprintf(number, sizeof number, "%d", grid->column_names[i]);
        hpmviz_canvas_write(canvas, x, layout->frame.bottom + 0.8 * canvas->em,
                            HPMVIZ_CENTRE, number);
        last = x;
    }
    last = -INFINITY;
    for (guint i = 0; i < grid->n_rows; i++) {
        double y = layout->frame.top + (i + 0.5) * layout->height;
        char number[16];

        if (grid->row_names[i] < 0 || y - last < 1.3 * canvas->em)
            continue;
        g_snprintf(number, sizeof number, "%d", grid->row_names[i]);
        hpmviz_canvas_write(canvas, layout->frame.left - canvas->em / 3, y,
                            HPMVIZ_RIGHT, number);
        last = y;
    }
    hpmviz_canvas_write(canvas, canvas->em / 3, 0.7 * canvas->em, HPMVIZ_LEFT,
                        grid->row_title);
    hpmviz_canvas_write(canvas, layout->frame.left,
                        layout->frame.bottom + 2 * canvas->em, HPMVIZ_LEFT,
                        grid->column_title);
}

/* The colours from the smallest value, below, to the largest. */
static void
draw_legend(const struct hpmviz_canvas *canvas,
            const struct hpmviz_distribution *values,
            const struct layout *layout)
{
    struct hpmviz_colourscale colours = colours_of(values);
    struct hpmviz_frame frame = hpmviz_frame_of(canvas);
    g_autofree char *title = hpmviz_plot_title(values);
    struct hpmviz_scale scale = {.from = colours.from,
                                 .to = colours.to,
                                 .begin = frame.bottom,
                                 .end = frame.top};
    double width = 1.2 * canvas->em;

    for (double y = floor(frame.top); y < frame.bottom; y++) {
        char colour[8];

        g_snprintf(colour, sizeof colour, "#%06x",
                   hpmviz_colourscale_at(&colours,
                                         hpmviz_scale_value(&scale, y + 0.5)));
        hpmviz_canvas_fill(canvas, colour, layout->legend, y, width, 1);
    }
    hpmviz_axis_draw_legend(canvas, &scale, layout->legend + width, title);
}

/* ---- the plot --------------------------------------------------------- */

static void
draw(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data)
{
    struct layout layout = lay_out(canvas, data->grid);

    if (is_empty(&layout))
        return;
    draw_cells(canvas, data, &layout);
    if (has_room(canvas, &layout))
        draw_marks(canvas, data, &layout);
    draw_names(canvas, data, &layout);
    draw_legend(canvas, data->x, &layout);
}

static gboolean
locate(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
       guint row, double *ret_x, double *ret_y)
{
    struct layout layout = lay_out(canvas, data->grid);
    guint cell = data->grid->at[row];

    if (cell == HPMVIZ_NONE || is_empty(&layout))
        return FALSE;
    *ret_x =
        layout.frame.left + (cell % data->grid->n_columns + 0.5) * layout.width;
    *ret_y =
        layout.frame.top + (cell / data->grid->n_columns + 0.5) * layout.height;
    return TRUE;
}

/* Of several cells at one pixel the one that is drawn. */
static guint
find(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     double x, double y)
{
    struct layout layout = lay_out(canvas, data->grid);
    struct image image;
    guint row;

    if (is_empty(&layout) || x < layout.frame.left || x >= layout.frame.right ||
        y < layout.frame.top || y >= layout.frame.bottom)
        return HPMVIZ_NONE;
    image = make_image(data, &layout);
    x = (x - layout.frame.left) / (layout.frame.right - layout.frame.left);
    y = (y - layout.frame.top) / (layout.frame.bottom - layout.frame.top);
    row = image.rows[(int)(y * image.height) * image.width +
                     (int)(x * image.width)];
    g_free(image.rows);
    return row < HPMVIZ_GAP ? row : HPMVIZ_NONE;
}

static void
take(const struct hpmviz_canvas *canvas, const struct hpmviz_plotdata *data,
     const struct hpmviz_lasso *lasso, gboolean *are_taken)
{
    hpmviz_plot_take_located(&hpmviz_heatplot, canvas, data, lasso, are_taken);
}

static guint
step(const struct hpmviz_plotdata *data, guint row, int right, int down)
{
    return hpmviz_placegrid_step(data->grid, data->x, row, right, down);
}

const struct hpmviz_plot hpmviz_heatplot = {
    "heat", N_("tasks and threads"), draw, locate, find, take, step, FALSE};
