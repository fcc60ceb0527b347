/* SPDX-License-Identifier: BSD-3-Clause
 * Lines and tables drawn below each other.
 *
 * What is added is recorded without knowing how large all of it becomes; the
 * record is played into a surface of the right size and kind at the end. */
#include "hpmviz/shell/drawing.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <gio/gio.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

struct look {
    const char *paper, *ink, *faint, *line;
};

static const struct look looks[] = {
    {"#ffffff", "#1b1b1b", "#5e5c64", "#d8d8d8"},
    {"#242424", "#eeeeee", "#b0b0b0", "#444444"},
};

struct hpmviz_drawing {
    const struct look *look;
    cairo_surface_t *record;
    cairo_t *pen;
    PangoLayout *layout;
    double y, width; /* of what has been drawn */
    GArray *breaks;  /* struct hpmviz_drawn_break */
};

/* Points of the page, where nothing follows from the font. */
enum { MARGIN = 16, WIDEST_PARAGRAPH = 900, SCALE = 2 };

static const char *const fonts[] = {
    [HPMVIZ_HEADING] = "Sans Bold 12",
    [HPMVIZ_BODY] = "Sans 10",
    [HPMVIZ_FAINT] = "Sans 9",
};

/* ---- the object ------------------------------------------------------ */

struct hpmviz_drawing *
hpmviz_drawing_new(gboolean is_dark)
{
    struct hpmviz_drawing *drawing = g_new0(struct hpmviz_drawing, 1);

    drawing->look = &looks[is_dark ? 1 : 0];
    drawing->record =
        cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    drawing->pen = cairo_create(drawing->record);
    drawing->layout = pango_cairo_create_layout(drawing->pen);
    drawing->y = MARGIN;
    drawing->breaks =
        g_array_new(FALSE, FALSE, sizeof(struct hpmviz_drawn_break));
    return drawing;
}

void
hpmviz_drawing_free(struct hpmviz_drawing *drawing)
{
    if (drawing == NULL)
        return;
    g_object_unref(drawing->layout);
    cairo_destroy(drawing->pen);
    cairo_surface_destroy(drawing->record);
    g_array_unref(drawing->breaks);
    g_free(drawing);
}

static void
set_colour(cairo_t *pen, const char *colour)
{
    unsigned number = (unsigned)g_ascii_strtoull(colour + 1, NULL, 16);

    cairo_set_source_rgb(pen, (number >> 16 & 255) / 255.0,
                         (number >> 8 & 255) / 255.0, (number & 255) / 255.0);
}

static void
set_font(struct hpmviz_drawing *drawing, enum hpmviz_script script)
{
    PangoFontDescription *font =
        pango_font_description_from_string(fonts[script]);

    pango_layout_set_font_description(drawing->layout, font);
    pango_font_description_free(font);
}

/* ---- pages ----------------------------------------------------------- */

static void
add_break(struct hpmviz_drawing *drawing, double head, double head_end)
{
    const struct hpmviz_drawn_break here = {drawing->y, head, head_end};

    g_array_append_val(drawing->breaks, here);
}

const GArray *
hpmviz_drawing_breaks(const struct hpmviz_drawing *drawing)
{
    return drawing->breaks;
}

double
hpmviz_drawing_width(const struct hpmviz_drawing *drawing)
{
    return drawing->width + 2 * MARGIN;
}

void
hpmviz_drawing_show_part(const struct hpmviz_drawing *drawing, cairo_t *pen,
                         double from, double to)
{
    cairo_save(pen);
    cairo_rectangle(pen, 0, 0, hpmviz_drawing_width(drawing), to - from);
    cairo_clip(pen);
    cairo_set_source_surface(pen, drawing->record, 0, -from);
    cairo_paint(pen);
    cairo_restore(pen);
}

/* ---- text ------------------------------------------------------------ */

void
hpmviz_drawing_add_text(struct hpmviz_drawing *drawing,
                        enum hpmviz_script script, const char *text)
{
    int width, height;

    set_font(drawing, script);
    pango_layout_set_width(drawing->layout, WIDEST_PARAGRAPH * PANGO_SCALE);
    pango_layout_set_text(drawing->layout, text, -1);
    pango_layout_get_pixel_size(drawing->layout, &width, &height);
    set_colour(drawing->pen, script == HPMVIZ_FAINT ? drawing->look->faint
                                                    : drawing->look->ink);
    cairo_move_to(drawing->pen, MARGIN, drawing->y);
    pango_cairo_show_layout(drawing->pen, drawing->layout);
    pango_layout_set_width(drawing->layout, -1);
    drawing->y += height + MARGIN / 2;
    drawing->width = MAX(drawing->width, width);
    add_break(drawing, 0, 0);
}

/* ---- tables ---------------------------------------------------------- */

static void
clear_cell(void *cell)
{
    g_free(((struct hpmviz_drawn_cell *)cell)->text);
}

struct hpmviz_drawn_table *
hpmviz_drawn_table_new(guint n_columns, guint n_texts)
{
    struct hpmviz_drawn_table *table = g_new0(struct hpmviz_drawn_table, 1);

    table->n_columns = n_columns;
    table->n_texts = n_texts;
    table->cells = g_array_new(FALSE, TRUE, sizeof(struct hpmviz_drawn_cell));
    g_array_set_clear_func(table->cells, clear_cell);
    return table;
}

void
hpmviz_drawn_table_free(struct hpmviz_drawn_table *table)
{
    g_array_unref(table->cells);
    g_free(table);
}

static struct hpmviz_drawn_cell *
cell_at(const struct hpmviz_drawn_table *table, guint i)
{
    return &g_array_index(table->cells, struct hpmviz_drawn_cell, i);
}

struct hpmviz_drawn_cell *
hpmviz_drawn_table_add(struct hpmviz_drawn_table *table, char *text)
{
    const struct hpmviz_drawn_cell cell = {.text = text, .share = NAN};

    g_array_append_val(table->cells, cell);
    return cell_at(table, table->cells->len - 1);
}

struct grid {
    const struct hpmviz_drawn_table *table;
    double *widths;       /* of columns, with the space around their texts */
    double width, height; /* of all columns, of a row */
    double space;         /* at each side of a text */
};

static void
measure(struct hpmviz_drawing *drawing, struct grid *grid)
{
    const struct hpmviz_drawn_table *table = grid->table;

    grid->widths = g_new0(double, table->n_columns + 1);
    for (guint i = 0; i < table->cells->len; i++) {
        int width, height;

        pango_layout_set_text(drawing->layout, cell_at(table, i)->text, -1);
        pango_layout_get_pixel_size(drawing->layout, &width, &height);
        grid->space = height / 2.0;
        grid->widths[i % table->n_columns] =
            MAX(grid->widths[i % table->n_columns], width + height);
        grid->height = MAX(grid->height, height * 1.4);
    }
    for (guint i = 0; i < table->n_columns; i++)
        grid->width += grid->widths[i];
}

static void
fill(cairo_t *pen, const char *colour, double x, double y, double width,
     double height)
{
    set_colour(pen, colour);
    cairo_rectangle(pen, x, y, width, height);
    cairo_fill(pen);
}

static void
draw_bar(const struct hpmviz_drawing *drawing, const struct grid *grid,
         double share, double x, double width)
{
    double thickness = MAX(2, 0.12 * grid->height);
    double y = drawing->y + grid->height - thickness - 1;

    fill(drawing->pen, drawing->look->line, x, y, width, thickness);
    fill(drawing->pen, drawing->look->faint, x, y, CLAMP(share, 0, 1) * width,
         thickness);
}

static void
draw_cell(struct hpmviz_drawing *drawing, const struct grid *grid, guint column,
          double x, const struct hpmviz_drawn_cell *cell)
{
    double width = grid->widths[column];
    int own_width, own_height;

    if (cell->background != NULL)
        fill(drawing->pen, cell->background, x, drawing->y, width,
             grid->height);
    if (!isnan(cell->share))
        draw_bar(drawing, grid, cell->share, x + grid->space,
                 width - 2 * grid->space);
    pango_layout_set_text(drawing->layout, cell->text, -1);
    pango_layout_get_pixel_size(drawing->layout, &own_width, &own_height);
    set_colour(drawing->pen,
               cell->colour != NULL ? cell->colour : drawing->look->ink);
    cairo_move_to(drawing->pen,
                  column < grid->table->n_texts
                      ? x + grid->space
                      : x + width - grid->space - own_width,
                  drawing->y + (grid->height - own_height) / 2);
    pango_cairo_show_layout(drawing->pen, drawing->layout);
}

static void
draw_row(struct hpmviz_drawing *drawing, const struct grid *grid, guint row)
{
    double x = MARGIN;

    for (guint i = 0; i < grid->table->n_columns; i++) {
        draw_cell(drawing, grid, i, x,
                  cell_at(grid->table, row * grid->table->n_columns + i));
        x += grid->widths[i];
    }
    drawing->y += grid->height;
    fill(drawing->pen, drawing->look->line, MARGIN, drawing->y, grid->width, 1);
    drawing->y += 1;
}

void
hpmviz_drawing_add_table(struct hpmviz_drawing *drawing,
                         const struct hpmviz_drawn_table *table)
{
    struct grid grid = {.table = table};
    double top = drawing->y;

    set_font(drawing, HPMVIZ_BODY);
    measure(drawing, &grid);
    for (guint i = 0; i < table->cells->len / table->n_columns; i++) {
        draw_row(drawing, &grid, i);
        if (i > 0) /* headings alone are no page */
            add_break(drawing, top, top + grid.height + 1);
    }
    drawing->y += MARGIN;
    add_break(drawing, 0, 0);
    drawing->width = MAX(drawing->width, grid.width);
    g_free(grid.widths);
}

/* ---- pictures -------------------------------------------------------- */

void
hpmviz_drawing_add_picture(struct hpmviz_drawing *drawing, double width,
                           double height, hpmviz_drawing_paint *paint,
                           gpointer data)
{
    set_font(drawing, HPMVIZ_BODY);
    cairo_save(drawing->pen);
    cairo_translate(drawing->pen, MARGIN, drawing->y);
    cairo_rectangle(drawing->pen, 0, 0, width, height);
    cairo_clip(drawing->pen);
    paint(drawing->pen, drawing->layout, data);
    cairo_restore(drawing->pen);
    drawing->y += height + MARGIN / 2;
    drawing->width = MAX(drawing->width, width);
    add_break(drawing, 0, 0);
}

/* ---- into a file ----------------------------------------------------- */

static cairo_status_t
append(void *bytes, const unsigned char *data, unsigned n)
{
    g_byte_array_append(bytes, data, n);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
new_surface(const char *name, double width, double height, GByteArray *bytes)
{
    if (g_str_has_suffix(name, ".svg"))
        return cairo_svg_surface_create_for_stream(append, bytes, width,
                                                   height);
    if (g_str_has_suffix(name, ".pdf"))
        return cairo_pdf_surface_create_for_stream(append, bytes, width,
                                                   height);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                      (int)ceil(width * SCALE),
                                      (int)ceil(height * SCALE));
}

static cairo_status_t
play(const struct hpmviz_drawing *drawing, cairo_surface_t *surface,
     GByteArray *bytes)
{
    gboolean is_image =
        cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE;
    cairo_t *pen = cairo_create(surface);
    cairo_status_t status;

    if (is_image)
        cairo_scale(pen, SCALE, SCALE);
    set_colour(pen, drawing->look->paper);
    cairo_paint(pen);
    cairo_set_source_surface(pen, drawing->record, 0, 0);
    cairo_paint(pen);
    cairo_destroy(pen);
    if (is_image)
        cairo_surface_write_to_png_stream(surface, append, bytes);
    cairo_surface_finish(surface);
    status = cairo_surface_status(surface);
    return status == CAIRO_STATUS_SURFACE_FINISHED ? CAIRO_STATUS_SUCCESS
                                                   : status;
}

GBytes *
hpmviz_drawing_finish(struct hpmviz_drawing *drawing, const char *name,
                      GError **error)
{
    GByteArray *bytes = g_byte_array_new();
    cairo_surface_t *surface = new_surface(name, drawing->width + 2 * MARGIN,
                                           drawing->y + MARGIN / 2, bytes);
    cairo_status_t status = play(drawing, surface, bytes);

    cairo_surface_destroy(surface);
    hpmviz_drawing_free(drawing);
    if (status == CAIRO_STATUS_SUCCESS && bytes->len > 0)
        return g_byte_array_free_to_bytes(bytes);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: cannot be drawn: %s",
                name, cairo_status_to_string(status));
    g_byte_array_unref(bytes);
    return NULL;
}
