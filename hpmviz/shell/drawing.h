/* SPDX-License-Identifier: BSD-3-Clause
 * Lines and tables drawn below each other into a file, without a display.
 */
#ifndef HPMVIZ_SHELL_DRAWING_H
#define HPMVIZ_SHELL_DRAWING_H

#include <pango/pangocairo.h>

struct hpmviz_drawing;

struct hpmviz_drawing *hpmviz_drawing_new(gboolean is_dark);
void hpmviz_drawing_free(struct hpmviz_drawing *drawing);

enum hpmviz_script { HPMVIZ_HEADING, HPMVIZ_BODY, HPMVIZ_FAINT };

/* A paragraph; long ones are broken.  Text is UTF-8. */
void hpmviz_drawing_add_text(struct hpmviz_drawing *drawing,
                             enum hpmviz_script script, const char *text);

struct hpmviz_drawn_cell {
    char *text; /* freed with the table */
    const char *background,
        *colour;  /* "#rrggbb"; NULL: as the paper, the ink */
    double share; /* a bar below the text, 0 to 1; NAN for none */
};

/* A table to be filled row by row, the headings first. */
struct hpmviz_drawn_table {
    guint n_columns;
    guint n_texts; /* this many columns begin left, the others end right */
    GArray *cells; /* struct hpmviz_drawn_cell */
};

struct hpmviz_drawn_table *hpmviz_drawn_table_new(guint n_columns,
                                                  guint n_texts);
void hpmviz_drawn_table_free(struct hpmviz_drawn_table *table);

/* The next cell; the text becomes the table's. */
struct hpmviz_drawn_cell *
hpmviz_drawn_table_add(struct hpmviz_drawn_table *table, char *text);

void hpmviz_drawing_add_table(struct hpmviz_drawing *drawing,
                              const struct hpmviz_drawn_table *table);

/* Draw a picture of that size: `paint` draws it, from 0, 0 on, with a layout for the
 * body's letters. */
typedef void hpmviz_drawing_paint(cairo_t *pen, PangoLayout *layout,
                                  gpointer data);
void hpmviz_drawing_add_picture(struct hpmviz_drawing *drawing, double width,
                                double height, hpmviz_drawing_paint *paint,
                                gpointer data);

/* Where a page may end: behind a paragraph, a picture, a row of a table.  A page
 * that begins within a table has its headings again. */
struct hpmviz_drawn_break {
    double y;
    double head, head_end; /* the headings of the table; equal outside of one */
};

/* All of them, struct hpmviz_drawn_break; and how wide all is that is drawn. */
const GArray *hpmviz_drawing_breaks(const struct hpmviz_drawing *drawing);
double hpmviz_drawing_width(const struct hpmviz_drawing *drawing);

/* Draw what is between two heights, the upper one at the pen's origin. */
void hpmviz_drawing_show_part(const struct hpmviz_drawing *drawing,
                              cairo_t *pen, double from, double to);

/* The bytes of the file: PDF or SVG for a name that ends so, PNG for any
 * other.  NULL where it cannot be drawn, as when it is too large.  Takes the
 * drawing. */
GBytes *hpmviz_drawing_finish(struct hpmviz_drawing *drawing, const char *name,
                              GError **error);

#endif
