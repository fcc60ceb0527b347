/* SPDX-License-Identifier: BSD-3-Clause
 * A drawing is divided into pages: nothing is lost, and no row of a table is cut. */
#include "hpmviz/shell/paging.h"

#include <cairo.h>

#include "tap.h"

/* For the leak sanitizer: fontconfig keeps the fonts that it has found. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
    return "leak:libfontconfig.so\nleak:libpango\n";
}

enum { WIDTH = 595, HEIGHT = 842, FOOT = 24, N_ROWS = 300 };

static struct hpmviz_drawing *
draw_table(guint n_rows, const char *label)
{
    struct hpmviz_drawing *drawing = hpmviz_drawing_new(FALSE);
    struct hpmviz_drawn_table *table = hpmviz_drawn_table_new(2, 1);

    hpmviz_drawing_add_text(drawing, HPMVIZ_HEADING, "all rows");
    for (guint i = 0; i <= n_rows; i++) {
        hpmviz_drawn_table_add(table, g_strdup(i == 0 ? "Section" : label));
        hpmviz_drawn_table_add(table, g_strdup_printf("%u", i));
    }
    hpmviz_drawing_add_table(drawing, table);
    hpmviz_drawing_add_text(drawing, HPMVIZ_FAINT, "the end");
    hpmviz_drawn_table_free(table);
    return drawing;
}

/* Does a page end there? */
static gboolean
is_break(const struct hpmviz_drawing *drawing, double y)
{
    const GArray *breaks = hpmviz_drawing_breaks(drawing);

    for (guint i = 0; i < breaks->len; i++) {
        if (g_array_index(breaks, struct hpmviz_drawn_break, i).y == y)
            return TRUE;
    }
    return FALSE;
}

static double
end_of(const struct hpmviz_drawing *drawing)
{
    const GArray *breaks = hpmviz_drawing_breaks(drawing);

    return g_array_index(breaks, struct hpmviz_drawn_break, breaks->len - 1).y;
}

static void
test_rows(void)
{
    struct hpmviz_drawing *drawing = draw_table(N_ROWS, "solve");
    struct hpmviz_paging *paging = hpmviz_paging_new(drawing, WIDTH, HEIGHT);
    guint n = hpmviz_paging_count(paging);
    double at = 0;
    gboolean is_good = TRUE, fits = TRUE, has_heads = TRUE;

    for (guint i = 0; i < n; i++) {
        const struct hpmviz_page *page = hpmviz_paging_nth(paging, i);
        double head = page->head_end - page->head;

        is_good &=
            page->from == at && page->to > at && is_break(drawing, page->to);
        fits &= (page->to - page->from + head) * hpmviz_paging_scale(paging) <=
                HEIGHT - FOOT;
        has_heads &= i == 0 || head > 0;
        at = page->to;
    }
    ok(n > 3, "hundreds of rows take several pages");
    ok(is_good && at == end_of(drawing),
       "each page goes on where the one before ended, behind a row");
    ok(fits,
       "no page is higher than the paper, but for the number at its foot");
    ok(has_heads, "each further page has the headings of the table");
    ok(hpmviz_paging_scale(paging) == 0.75,
       "letters are as large on paper as on a screen");
    hpmviz_paging_free(paging);
    hpmviz_drawing_free(drawing);
}

static void
test_width(void)
{
    g_autofree char *label = g_strnfill(300, 'x');
    struct hpmviz_drawing *drawing = draw_table(3, label);
    struct hpmviz_paging *paging = hpmviz_paging_new(drawing, WIDTH, HEIGHT);

    is_near(hpmviz_drawing_width(drawing) * hpmviz_paging_scale(paging), WIDTH,
            1e-6, "what is wider than the paper is made as wide as that");
    is_count(hpmviz_paging_count(paging), 1, "and is one page");
    hpmviz_paging_free(paging);
    hpmviz_drawing_free(drawing);
}

static void
paint(cairo_t *pen, PangoLayout *layout, gpointer data)
{
    (void)layout;
    (void)data;
    cairo_paint(pen);
}

static void
test_high_piece(void)
{
    struct hpmviz_drawing *drawing = draw_table(2, "solve");
    struct hpmviz_paging *paging;

    hpmviz_drawing_add_picture(drawing, 100, 3000, paint, NULL);
    hpmviz_drawing_add_text(drawing, HPMVIZ_BODY, "below");
    paging = hpmviz_paging_new(drawing, WIDTH, HEIGHT);
    is_count(hpmviz_paging_count(paging), 3,
             "a piece higher than a page has one of its own");
    hpmviz_paging_free(paging);
    hpmviz_drawing_free(drawing);
}

/* Is there any ink in the upper part of a page? */
static gboolean
has_ink(cairo_surface_t *surface)
{
    const unsigned char *bytes = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);

    for (int i = 0; i < stride * 100; i++) {
        if (bytes[i] != 255)
            return TRUE;
    }
    return FALSE;
}

static void
test_ink(void)
{
    struct hpmviz_drawing *drawing = draw_table(N_ROWS, "solve");
    struct hpmviz_paging *paging = hpmviz_paging_new(drawing, WIDTH, HEIGHT);
    gboolean has_all = TRUE;

    for (guint i = 0; i < hpmviz_paging_count(paging); i++) {
        cairo_surface_t *surface =
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
        cairo_t *pen = cairo_create(surface);

        cairo_set_source_rgb(pen, 1, 1, 1);
        cairo_paint(pen);
        hpmviz_paging_draw(paging, i, pen);
        cairo_destroy(pen);
        cairo_surface_flush(surface);
        has_all &= has_ink(surface);
        cairo_surface_destroy(surface);
    }
    ok(has_all, "each page is drawn from its top on");
    hpmviz_paging_free(paging);
    hpmviz_drawing_free(drawing);
}

int
main(void)
{
    test_rows();
    test_width();
    test_high_piece();
    test_ink();
    return done();
}
