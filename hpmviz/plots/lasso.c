/* SPDX-License-Identifier: BSD-3-Clause
 * What the pointer was drawn around, or over, in a plot. */
#include "hpmviz/plots/lasso.h"

#include <math.h>

/* Points nearer than this to the last corner add nothing to see. */
static const double least_step = 2;

static double
corner(const struct hpmviz_lasso *lasso, guint i)
{
    return g_array_index(lasso->corners, double, i);
}

void
hpmviz_lasso_begin(struct hpmviz_lasso *lasso, double x, double y,
                   gboolean is_free)
{
    hpmviz_lasso_clear(lasso);
    *lasso = (struct hpmviz_lasso){x, y, x, y, x, y, NULL};
    if (!is_free)
        return;
    lasso->corners = g_array_new(FALSE, FALSE, sizeof(double));
    g_array_append_val(lasso->corners, x);
    g_array_append_val(lasso->corners, y);
}

void
hpmviz_lasso_clear(struct hpmviz_lasso *lasso)
{
    g_clear_pointer(&lasso->corners, g_array_unref);
}

static void
add_corner(struct hpmviz_lasso *lasso, double x, double y)
{
    guint n = lasso->corners->len;

    if (hypot(x - corner(lasso, n - 2), y - corner(lasso, n - 1)) < least_step)
        return;
    g_array_append_val(lasso->corners, x);
    g_array_append_val(lasso->corners, y);
    lasso->x = fmin(lasso->x, x);
    lasso->y = fmin(lasso->y, y);
    lasso->x2 = fmax(lasso->x2, x);
    lasso->y2 = fmax(lasso->y2, y);
}

void
hpmviz_lasso_extend(struct hpmviz_lasso *lasso, double x, double y)
{
    if (lasso->corners != NULL) {
        add_corner(lasso, x, y);
        return;
    }
    lasso->x = fmin(lasso->from_x, x);
    lasso->y = fmin(lasso->from_y, y);
    lasso->x2 = fmax(lasso->from_x, x);
    lasso->y2 = fmax(lasso->from_y, y);
}

gboolean
hpmviz_lasso_is_point(const struct hpmviz_lasso *lasso)
{
    enum { TREMBLING = 4 };

    return lasso->x2 - lasso->x < TREMBLING && lasso->y2 - lasso->y < TREMBLING;
}

/* On which side of the line from a to b a point is: above 0 to the left. */
static double
side(const struct hpmviz_lasso *lasso, guint a, guint b, double x, double y)
{
    double from_x = corner(lasso, a), from_y = corner(lasso, a + 1);
    double to_x = corner(lasso, b), to_y = corner(lasso, b + 1);

    return (to_x - from_x) * (y - from_y) - (x - from_x) * (to_y - from_y);
}

/* How often the line goes around the point: each edge that crosses the height of
 * the point counts up or down if the point is on its inner side. */
static int
count_turns(const struct hpmviz_lasso *lasso, double x, double y)
{
    guint n = lasso->corners->len;
    int turns = 0;

    for (guint a = 0; a < n; a += 2) {
        guint b = (a + 2) % n;
        gboolean is_above = corner(lasso, a + 1) <= y;
        gboolean is_next_above = corner(lasso, b + 1) <= y;

        if (is_above && !is_next_above && side(lasso, a, b, x, y) > 0)
            turns++;
        if (!is_above && is_next_above && side(lasso, a, b, x, y) < 0)
            turns--;
    }
    return turns;
}

gboolean
hpmviz_lasso_has(const struct hpmviz_lasso *lasso, double x, double y)
{
    return x >= lasso->x && x <= lasso->x2 && y >= lasso->y && y <= lasso->y2 &&
           (lasso->corners == NULL || count_turns(lasso, x, y) != 0);
}

void
hpmviz_lasso_draw(const struct hpmviz_lasso *lasso,
                  const struct hpmviz_canvas *canvas)
{
    static const double dashes[] = {4, 3};

    hpmviz_canvas_set(canvas, canvas->look->ink);
    cairo_set_dash(canvas->cairo, dashes, G_N_ELEMENTS(dashes), 0);
    if (lasso->corners == NULL) {
        cairo_rectangle(canvas->cairo, lasso->x + 0.5, lasso->y + 0.5,
                        lasso->x2 - lasso->x, lasso->y2 - lasso->y);
    } else {
        for (guint i = 0; i < lasso->corners->len; i += 2)
            cairo_line_to(canvas->cairo, corner(lasso, i) + 0.5,
                          corner(lasso, i + 1) + 0.5);
        cairo_close_path(canvas->cairo);
    }
    cairo_stroke(canvas->cairo);
}
