/* SPDX-License-Identifier: BSD-3-Clause
 * A drawing divided into pages of paper. */
#include "hpmviz/shell/paging.h"

/* Letters of a drawing are for a screen of 96 dots an inch. */
static const double usual_scale = 72.0 / 96;

enum { FOOT = 24 }; /* points, for the number of the page */

struct hpmviz_paging {
    const struct hpmviz_drawing *drawing;
    double width, height; /* points */
    double scale;         /* points to a unit of the drawing */
    GArray *pages;
};

/* ---- dividing -------------------------------------------------------- */

static const struct hpmviz_drawn_break *
break_at(const struct hpmviz_paging *paging, guint i)
{
    return &g_array_index(hpmviz_drawing_breaks(paging->drawing),
                          struct hpmviz_drawn_break, i);
}

/* How much of the drawing a page takes. */
static double
room_of(const struct hpmviz_paging *paging)
{
    return (paging->height - FOOT) / paging->scale;
}

/* The page that begins behind the break before `i`; the break it ends at. */
static guint
add_page(struct hpmviz_paging *paging, guint i)
{
    const struct hpmviz_drawn_break *start =
        i > 0 ? break_at(paging, i - 1) : NULL;
    struct hpmviz_page page = {.from = start != NULL ? start->y : 0};
    double room = room_of(paging);
    guint n = hpmviz_drawing_breaks(paging->drawing)->len;

    if (start != NULL && start->head < start->head_end) {
        page.head = start->head;
        page.head_end = start->head_end;
        room -= page.head_end - page.head;
    }
    while (i + 1 < n && break_at(paging, i + 1)->y - page.from <= room)
        i++;
    page.to = break_at(paging, i)->y;
    g_array_append_val(paging->pages, page);
    return i;
}

struct hpmviz_paging *
hpmviz_paging_new(const struct hpmviz_drawing *drawing, double width,
                  double height)
{
    struct hpmviz_paging *paging = g_new0(struct hpmviz_paging, 1);
    guint n = hpmviz_drawing_breaks(drawing)->len;

    paging->drawing = drawing;
    paging->width = width;
    paging->height = height;
    paging->scale = MIN(usual_scale, width / hpmviz_drawing_width(drawing));
    paging->pages = g_array_new(FALSE, FALSE, sizeof(struct hpmviz_page));
    for (guint i = 0; i < n; i++)
        i = add_page(paging, i);
    return paging;
}

void
hpmviz_paging_free(struct hpmviz_paging *paging)
{
    if (paging == NULL)
        return;
    g_array_unref(paging->pages);
    g_free(paging);
}

guint
hpmviz_paging_count(const struct hpmviz_paging *paging)
{
    return paging->pages->len;
}

const struct hpmviz_page *
hpmviz_paging_nth(const struct hpmviz_paging *paging, guint page)
{
    return &g_array_index(paging->pages, struct hpmviz_page, page);
}

double
hpmviz_paging_scale(const struct hpmviz_paging *paging)
{
    return paging->scale;
}

/* ---- drawing --------------------------------------------------------- */

static void
draw_number(const struct hpmviz_paging *paging, guint page, cairo_t *pen)
{
    g_autoptr(PangoLayout) layout = pango_cairo_create_layout(pen);
    g_autofree char *text =
        g_strdup_printf("%u / %u", page + 1, paging->pages->len);
    int width, height;

    pango_layout_set_text(layout, text, -1);
    pango_layout_get_pixel_size(layout, &width, &height);
    cairo_set_source_rgb(pen, 0, 0, 0);
    cairo_move_to(pen, (paging->width - width) / 2, paging->height - height);
    pango_cairo_show_layout(pen, layout);
}

void
hpmviz_paging_draw(const struct hpmviz_paging *paging, guint page, cairo_t *pen)
{
    const struct hpmviz_page *here = hpmviz_paging_nth(paging, page);

    cairo_save(pen);
    cairo_scale(pen, paging->scale, paging->scale);
    hpmviz_drawing_show_part(paging->drawing, pen, here->head, here->head_end);
    cairo_translate(pen, 0, here->head_end - here->head);
    hpmviz_drawing_show_part(paging->drawing, pen, here->from, here->to);
    cairo_restore(pen);
    if (paging->pages->len > 1)
        draw_number(paging, page, pen);
}
