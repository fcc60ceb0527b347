/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side without a display. */
#include "hpmviz/shell/trendoutput.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/trendexport.h"
#include "hpmviz/plots/canvas.h"
#include "hpmviz/runs/trendplot.h"

/* A picture of thousands of rows is none. */
enum { MOST_ROWS = 60, N_TEXTS = 1 };

struct output {
    struct hpmviz_drawing *drawing;
    struct hpmviz_trend *trend;
    const char *time; /* name of the quantity */
    gboolean is_dark;
};

static char *
take(struct hpm_string *string)
{
    char *text = g_strdup(hpm_string_text(string));

    hpm_string_free(string);
    return text;
}

/* ---- order ------------------------------------------------------------ */

/* What a row cost in the reference, else in the first run that has it. */
static double
cost_of(const struct output *output, guint row)
{
    const struct hpmviz_trend *trend = output->trend;
    double number = hpmviz_trend_number(trend, row, trend->reference,
                                        HPMVIZ_TREND_VALUE, output->time);

    return isnan(number)
               ? hpmviz_trend_number(trend, row, trend->rows[row].first,
                                     HPMVIZ_TREND_VALUE, output->time)
               : number;
}

static int
compare(gconstpointer a, gconstpointer b, gpointer data)
{
    double first = cost_of(data, *(const guint *)a);
    double second = cost_of(data, *(const guint *)b);

    if (isnan(first) || isnan(second))
        return isnan(first) - isnan(second);
    return (first < second) - (first > second);
}

/* The rows of a scope (guint), the costliest first. */
static GArray *
order_rows(struct output *output, int scope)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = 0; i < output->trend->n_rows; i++) {
        if (hpmviz_trend_section(output->trend, i)->scope == scope)
            g_array_append_val(rows, i);
    }
    g_array_sort_with_data(rows, compare, output);
    return rows;
}

/* ---- tables ----------------------------------------------------------- */

static char *
cell_text(const struct output *output, guint row, guint run,
          enum hpmviz_trend_kind kind)
{
    struct hpm_string text = {0};

    if (isnan(hpmviz_trend_number(output->trend, row, run, kind, output->time)))
        return g_strdup("-");
    hpmviz_trend_add_text(output->trend, row, run, kind, output->time, &text);
    return take(&text);
}

static void
add_table(const struct output *output, const GArray *rows,
          enum hpmviz_trend_kind kind)
{
    const struct hpmviz_trend *trend = output->trend;
    struct hpmviz_drawn_table *table =
        hpmviz_drawn_table_new(trend->n_runs + 1, N_TEXTS);
    guint n = MIN(rows->len, MOST_ROWS);
    g_autofree char *more =
        g_strdup_printf(_("and %u more: --print has all"), rows->len - n);

    hpmviz_drawn_table_add(table, g_strdup(_("Section")));
    for (guint i = 0; i < trend->n_runs; i++)
        hpmviz_drawn_table_add(table,
                               g_strdup(hpmviz_run_letter(trend->runs[i])));
    for (guint i = 0; i < n; i++) {
        guint row = g_array_index(rows, guint, i);
        struct hpm_string label = {0}, safe = {0};

        hpmviz_trend_add_label(trend, row, &label);
        hpm_string_add_safe(&safe, hpm_string_text(&label));
        hpm_string_free(&label);
        hpmviz_drawn_table_add(table, take(&safe));
        for (guint run = 0; run < trend->n_runs; run++)
            hpmviz_drawn_table_add(table, cell_text(output, row, run, kind));
    }
    hpmviz_drawing_add_table(output->drawing, table);
    hpmviz_drawn_table_free(table);
    if (n < rows->len)
        hpmviz_drawing_add_text(output->drawing, HPMVIZ_FAINT, more);
}

/* ---- the line --------------------------------------------------------- */

static void
paint(cairo_t *pen, PangoLayout *layout, gpointer data)
{
    struct hpmviz_trendplot *plot = data;

    plot->layout = layout;
    hpmviz_trendplot_draw(plot, pen);
}

static void
add_line(const struct output *output, guint row)
{
    struct hpmviz_trendplot plot = {
        .trend = output->trend,
        .row = row,
        .kind = HPMVIZ_TREND_VALUE,
        .quantity = output->time,
        .width = 760,
        .height = 220,
        .is_dark = output->is_dark,
    };
    struct hpm_string label = {0}, text = {0};

    gdk_rgba_parse(&plot.ink, hpmviz_canvas_look(output->is_dark)->ink);
    hpmviz_trend_add_label(output->trend, row, &label);
    hpm_string_add_safe(&text, hpm_string_text(&label));
    hpm_string_add_format(&text, ": %s", output->time);
    hpmviz_drawing_add_text(output->drawing, HPMVIZ_BODY,
                            hpm_string_text(&text));
    hpmviz_drawing_add_picture(output->drawing, plot.width, plot.height, paint,
                               &plot);
    hpm_string_free(&text);
    hpm_string_free(&label);
}

/* ---- all of it -------------------------------------------------------- */

static void
add_scope(struct output *output, int scope, const char *heading)
{
    g_autoptr(GArray) rows = order_rows(output, scope);

    if (rows->len == 0)
        return;
    hpmviz_drawing_add_text(output->drawing, HPMVIZ_HEADING, heading);
    add_line(output, g_array_index(rows, guint, 0));
    for (int kind = 0; kind < HPMVIZ_TREND_N_KINDS; kind++) {
        g_autofree char *title = g_strdup_printf(
            "%s, %s", output->time,
            hpmviz_trend_kind_name((enum hpmviz_trend_kind)kind));

        hpmviz_drawing_add_text(output->drawing, HPMVIZ_BODY, title);
        add_table(output, rows, (enum hpmviz_trend_kind)kind);
    }
}

struct hpmviz_drawing *
hpmviz_trendoutput_draw(const HpmvizSession *session, gboolean is_dark)
{
    struct output output = {.drawing = hpmviz_drawing_new(is_dark),
                            .trend = hpmviz_trend_new(session),
                            .is_dark = is_dark};
    const struct hpm_survey *survey =
        output.trend->surveys[output.trend->reference];
    size_t time = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    struct hpm_string runs = {0};

    hpmviz_trendexport_add_runs(output.trend, &runs);
    hpmviz_drawing_add_text(output.drawing, HPMVIZ_BODY,
                            hpm_string_text(&runs));
    hpm_string_free(&runs);
    if (time != HPM_NO_QUANTITY) {
        output.time = survey->quantities[time].name;
        add_scope(&output, HPM_SCOPE_THREAD, _("Sections of threads"));
        add_scope(&output, HPM_SCOPE_PROCESS,
                  _("Sections of the whole process"));
    }
    hpmviz_trend_free(output.trend);
    return output.drawing;
}
