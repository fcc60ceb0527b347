/* SPDX-License-Identifier: BSD-3-Clause
 * What kinds of plots have in common. */
#include "hpmviz/plots/plot.h"

#include <glib/gi18n.h>

#include "hpmviz/data/details.h"
#include "study/report/shown.h"

void
hpmviz_plot_draw(const struct hpmviz_plot *plot,
                 const struct hpmviz_canvas *canvas,
                 const struct hpmviz_plotdata *data)
{
    hpmviz_canvas_fill(canvas, canvas->look->paper, 0, 0, canvas->width,
                       canvas->height);
    cairo_set_line_width(canvas->cairo, 1);
    if (data->x == NULL || data->x->n == 0)
        hpmviz_canvas_write(canvas, canvas->width / 2, canvas->height / 2,
                            HPMVIZ_CENTRE, _("no place has a value"));
    else
        plot->draw(canvas, data);
}

void
hpmviz_plot_mark(const struct hpmviz_plot *plot,
                 const struct hpmviz_canvas *canvas,
                 const struct hpmviz_plotdata *data)
{
    double x, y;

    if (data->x != NULL && data->selected != HPMVIZ_NONE &&
        plot->locate(canvas, data, data->selected, &x, &y))
        hpmviz_canvas_select(canvas, x, y);
}

void
hpmviz_plot_take_located(const struct hpmviz_plot *plot,
                         const struct hpmviz_canvas *canvas,
                         const struct hpmviz_plotdata *data,
                         const struct hpmviz_lasso *lasso, gboolean *are_taken)
{
    for (guint i = 0; i < data->x->sheet->n_rows; i++) {
        double x, y;

        if (plot->locate(canvas, data, i, &x, &y))
            are_taken[i] |= hpmviz_lasso_has(lasso, x, y);
    }
}

char *
hpmviz_plot_title(const struct hpmviz_distribution *distribution)
{
    const struct hpm_quantity *quantity =
        hpmviz_sheet_quantity(distribution->sheet, distribution->column);
    const char *unit = hpm_shown_unit(quantity);
    struct hpm_string title = {0};
    char *text;

    hpm_string_add_safe(&title, quantity->name);
    if (unit[0] != '\0')
        hpm_string_add(&title, ", ");
    hpm_string_add_safe(&title, unit);
    text = g_strdup(hpm_string_text(&title));
    hpm_string_free(&title);
    return text;
}

const char *
hpmviz_plot_colour(const struct hpmviz_canvas *canvas,
                   const struct hpmviz_distribution *distribution, guint row)
{
    double value = hpmviz_distribution_value(distribution, row);

    return value < distribution->box.low || value > distribution->box.high
               ? canvas->look->odd
               : canvas->look->mark;
}
