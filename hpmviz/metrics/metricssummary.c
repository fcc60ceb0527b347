/* SPDX-License-Identifier: BSD-3-Clause
 * How the values of a section are spread. */
#include "hpmviz/metrics/metricssummary.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/details.h"
#include "hpmviz/data/spread.h"
#include "hpmviz/widgets/rowmodel.h"
#include "hpmviz/widgets/safetext.h"
#include "hpmviz/widgets/tablecolumn.h"
#include "study/report/shown.h"

enum kind {
    METRIC,
    UNIT,
    N_BAD,
    N_GOOD,
    MIN,
    LOW,
    MEDIAN,
    MEAN,
    HIGH,
    MAXIMUM,
    DEVIATION,
    RATIO,
    MIN_AT,
    MAX_AT,
    N_VALUES,
    N_KINDS
};

static const struct {
    const char *title, *tooltip;
} titles[N_KINDS] = {
    [METRIC] = {N_("Metric"), N_("of threads, or of whole processes")},
    [UNIT] = {N_("Unit"), NULL},
    [MIN] = {N_("Minimum"), NULL},
    [LOW] = {N_("5 %"), N_("one of twenty values is smaller")},
    [MEDIAN] = {N_("Median"), N_("half of the values are smaller")},
    [MEAN] = {N_("Mean"), NULL},
    [HIGH] = {N_("95 %"), N_("one of twenty values is larger")},
    [MAXIMUM] = {N_("Maximum"), NULL},
    [DEVIATION] = {N_("Deviation"), N_("standard deviation of these values")},
    [RATIO] = {N_("Max/mean"), N_("1 where all have the same")},
    [N_BAD] = {N_("Bad"), N_("rows beyond the limit; click: the worst")},
    [N_GOOD] = {N_("Good"), NULL},
    [MIN_AT] = {N_("Min at"), N_("task and thread; click: its row")},
    [MAX_AT] = {N_("Max at"), N_("task and thread; click: its row")},
    [N_VALUES] = {N_("Values"), N_("rows with a value, of all rows; tasks")},
};

/* Rows whose spread is worked out while the window opens. */
enum { AT_ONCE = 2000 };

/* A line: one column of the sheet, of threads or processes. */
struct line {
    guint column;
    gboolean is_process;
    struct hpmviz_spread spread; /* of the first n_done lines */
};

struct _HpmvizMetricssummary {
    GtkScrolledWindow parent_instance;
    HpmvizSession *session;
    const struct hpmviz_sheet *sheet;
    struct line *lines;
    guint n_lines, n_done;
    guint idle; /* works out the others */
    GtkTreeView *view;
    HpmvizRowmodel *rows;
    guint key;
    gboolean is_rising;
};

G_DEFINE_TYPE(HpmvizMetricssummary, hpmviz_metricssummary,
              GTK_TYPE_SCROLLED_WINDOW)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- values ---------------------------------------------------------- */

static enum hpm_precision
precision_of(const HpmvizMetricssummary *summary)
{
    return hpmviz_session_view(summary->session)->precision;
}

static const struct hpmviz_spread *
spread_of(const HpmvizMetricssummary *summary, guint row)
{
    return &summary->lines[row].spread;
}

/* NAN for texts and none. */
static double
number_of(const HpmvizMetricssummary *summary, guint row, enum kind kind)
{
    const struct hpmviz_spread *spread = spread_of(summary, row);
    enum hpm_precision precision = precision_of(summary);

    switch (kind) {
    case MIN:
        return spread->min;
    case LOW:
        return spread->low;
    case MEDIAN:
        return spread->median;
    case MEAN:
        return spread->mean;
    case HIGH:
        return spread->high;
    case MAXIMUM:
        return spread->max;
    case DEVIATION:
        return spread->deviation;
    case RATIO:
        return spread->ratio;
    case N_BAD:
        return spread->n_bad[precision];
    case N_GOOD:
        return spread->n_good[precision];
    case N_VALUES:
        return spread->n;
    default:
        return NAN;
    }
}

/* The row of the sheet that a cell leads to, or HPMVIZ_NONE. */
static guint
target_of(const HpmvizMetricssummary *summary, guint row, enum kind kind)
{
    const struct hpmviz_spread *spread = spread_of(summary, row);

    switch (kind) {
    case MIN:
    case MIN_AT:
        return spread->min_at;
    case MAXIMUM:
    case MAX_AT:
        return spread->max_at;
    case N_BAD:
        return spread->worst_at[precision_of(summary)];
    default:
        return HPMVIZ_NONE;
    }
}

/* ---- texts ----------------------------------------------------------- */

static void
add_where(const HpmvizMetricssummary *summary, guint row,
          struct hpm_string *text)
{
    const struct hpmviz_place *place;

    if (row == HPMVIZ_NONE)
        return;
    place = &summary->sheet->places[row];
    if (place->tid < 0)
        hpm_string_add_format(text, "%d", place->task);
    else
        hpm_string_add_format(text, "%d.%d", place->task, place->tid);
}

static void
add_name(const HpmvizMetricssummary *summary, guint row,
         struct hpm_string *text)
{
    const struct line *line = &summary->lines[row];

    hpm_string_add(text,
                   hpmviz_sheet_quantity(summary->sheet, line->column)->name);
    if (line->is_process)
        hpm_string_add(text, _(" (process)"));
}

static void
add_values(const struct hpmviz_spread *spread, struct hpm_string *text)
{
    hpm_string_add_format(text,
                          ngettext("%u of %u in %u task",
                                   "%u of %u in %u tasks", spread->n_tasks),
                          spread->n, spread->n_rows, spread->n_tasks);
}

static void
add_text(const HpmvizMetricssummary *summary, guint row, enum kind kind,
         struct hpm_string *text)
{
    double number = number_of(summary, row, kind);
    guint column = summary->lines[row].column;

    if (row >= summary->n_done && kind > UNIT) {
        hpm_string_add(text, "…");
        return;
    }
    switch (kind) {
    case METRIC:
        add_name(summary, row, text);
        break;
    case UNIT:
        hpm_string_add(text, hpm_shown_unit(hpmviz_sheet_quantity(
                                 summary->sheet, column)));
        break;
    case MIN_AT:
    case MAX_AT:
        add_where(summary, target_of(summary, row, kind), text);
        break;
    case N_VALUES:
        add_values(spread_of(summary, row), text);
        break;
    case N_BAD:
    case N_GOOD:
        if (number > 0)
            hpm_string_add_format(text, "%u", (unsigned)number);
        break;
    case RATIO:
        if (isnan(number))
            hpm_string_add(text, "n/a");
        else
            hpm_string_add_fixed(text, number, 3);
        break;
    default:
        hpmviz_details_add_number(summary->sheet, column, number, text);
    }
}

static void
show_cell(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    HpmvizMetricssummary *summary = data;
    guint row = hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter);
    enum kind kind = (enum kind)hpmviz_tablecolumn_index(column);
    enum hpm_verdict verdict = HPM_VERDICT_NONE;
    struct hpm_string text = {0};

    if (kind == N_BAD && number_of(summary, row, N_BAD) > 0)
        verdict = HPM_VERDICT_BAD;
    if (kind == N_GOOD && number_of(summary, row, N_GOOD) > 0)
        verdict = HPM_VERDICT_GOOD;
    add_text(summary, row, kind, &text);
    hpmviz_cell_set_verdict(HPMVIZ_CELL(renderer), GTK_WIDGET(summary),
                            hpmviz_session_view(summary->session)->palette,
                            verdict, hpm_string_text(&text));
    hpm_string_free(&text);
}

/* ---- order ----------------------------------------------------------- */

/* By name is the order of the sheet, which keeps metrics beside their kin. */
static int
compare_lines(guint a, guint b, gpointer data)
{
    const HpmvizMetricssummary *summary = data;
    enum kind kind = (enum kind)summary->key;
    double x = number_of(summary, a, kind), y = number_of(summary, b, kind);

    if (isnan(x) && isnan(y))
        return summary->is_rising ? (a > b) - (a < b) : (a < b) - (a > b);
    if (isnan(x) || isnan(y))
        return !!isnan(x) - !!isnan(y);
    return summary->is_rising ? (x > y) - (x < y) : (x < y) - (x > y);
}

static void
on_heading(GtkTreeViewColumn *column, gpointer data)
{
    HpmvizMetricssummary *summary = data;
    guint key = hpmviz_tablecolumn_index(column);

    if (summary->sheet == NULL || summary->idle != 0)
        return;
    summary->is_rising = key == summary->key ? !summary->is_rising : FALSE;
    summary->key = key;
    hpmviz_rowmodel_sort(summary->rows, compare_lines, summary);
    hpmviz_tablecolumn_show_order(summary->view, column, summary->is_rising);
}

/* ---- what is chosen -------------------------------------------------- */

static gboolean
choose(HpmvizMetricssummary *summary, GtkTreePath *path,
       GtkTreeViewColumn *column, gboolean is_any)
{
    GtkTreeIter iter;
    guint row, target;

    if (path == NULL || column == NULL || summary->n_done == 0 ||
        !gtk_tree_model_get_iter(GTK_TREE_MODEL(summary->rows), &iter, path))
        return FALSE;
    row = hpmviz_rowmodel_get(summary->rows, &iter);
    if (row >= summary->n_done)
        return FALSE;
    target =
        target_of(summary, row, (enum kind)hpmviz_tablecolumn_index(column));
    if (target == HPMVIZ_NONE && is_any)
        target = target_of(summary, row, N_BAD);
    if (target == HPMVIZ_NONE && is_any)
        target = target_of(summary, row, MAX_AT);
    if (target == HPMVIZ_NONE)
        return FALSE;
    g_signal_emit(summary, signals[CHOSEN], 0, target,
                  summary->lines[row].column);
    return TRUE;
}

/* Enter, or a double click: from cells that lead nowhere to the worst. */
static void
on_activated(gpointer data, GtkTreePath *path, GtkTreeViewColumn *column)
{
    choose(data, path, column, TRUE);
}

static gboolean
on_button(HpmvizMetricssummary *summary, GdkEventButton *event)
{
    GtkTreePath *path = NULL;
    GtkTreeViewColumn *column = NULL;

    if (event->button != GDK_BUTTON_PRIMARY ||
        event->window != gtk_tree_view_get_bin_window(summary->view) ||
        !gtk_tree_view_get_path_at_pos(summary->view, (int)event->x,
                                       (int)event->y, &path, &column, NULL,
                                       NULL))
        return FALSE;
    choose(summary, path, column, FALSE);
    gtk_tree_path_free(path);
    return FALSE;
}

/* ---- the sheet ------------------------------------------------------- */

static gboolean
has_rows(const struct hpmviz_sheet *sheet, gboolean is_process)
{
    for (guint i = 0; i < sheet->n_rows; i++) {
        if (hpmviz_sheet_is_process(sheet, i) == is_process)
            return TRUE;
    }
    return FALSE;
}

static void
list_lines(HpmvizMetricssummary *summary)
{
    const struct hpmviz_sheet *sheet = summary->sheet;

    summary->lines = g_new0(struct line, 2 * sheet->n_columns + 1);
    for (gboolean is_process = FALSE; is_process <= TRUE; is_process++) {
        for (guint i = 0; i < sheet->n_columns && has_rows(sheet, is_process);
             i++) {
            struct line *line = &summary->lines[summary->n_lines++];

            line->column = i;
            line->is_process = is_process;
        }
    }
}

static void
fit(HpmvizMetricssummary *summary, GtkTreeViewColumn *column)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < summary->n_lines; i++) {
        struct hpm_string text = {0};

        add_text(summary, i, (enum kind)hpmviz_tablecolumn_index(column),
                 &text);
        g_ptr_array_add(texts, hpmviz_safe_take(&text));
    }
    g_ptr_array_add(texts, NULL);
    hpmviz_tablecolumn_fit(column, GTK_WIDGET(summary->view),
                           (const char *const *)texts->pdata, 30);
    g_ptr_array_unref(texts);
}

static void
fit_all(HpmvizMetricssummary *summary)
{
    GtkTreeViewColumn *column;

    for (int i = 0;
         (column = gtk_tree_view_get_column(summary->view, i)) != NULL; i++)
        fit(summary, column);
}

/* FALSE when that was the last. */
static gboolean
work_out_line(HpmvizMetricssummary *summary)
{
    struct line *line = &summary->lines[summary->n_done];

    if (summary->n_done < summary->n_lines) {
        line->spread =
            hpmviz_spread_of(summary->sheet, line->column, line->is_process);
        summary->n_done++;
    }
    return summary->n_done < summary->n_lines;
}

static gboolean
work_on(gpointer data)
{
    HpmvizMetricssummary *summary = data;

    if (work_out_line(summary))
        return G_SOURCE_CONTINUE;
    summary->idle = 0;
    fit_all(summary);
    hpmviz_metricssummary_refresh(summary);
    return G_SOURCE_REMOVE;
}

/* Quantiles need sorting, which of many rows takes a while: a line at a
 * time. */
static void
work_out(HpmvizMetricssummary *summary)
{
    if (summary->sheet->n_rows > AT_ONCE) {
        summary->idle = g_idle_add(work_on, summary);
        return;
    }
    while (work_out_line(summary))
        ;
}

static void
fill(HpmvizMetricssummary *summary)
{
    guint *rows;

    list_lines(summary);
    rows = g_new(guint, summary->n_lines + 1);
    for (guint i = 0; i < summary->n_lines; i++)
        rows[i] = i;
    hpmviz_rowmodel_set(summary->rows, rows, NULL, summary->n_lines);
    g_free(rows);
    work_out(summary);
    fit_all(summary);
    hpmviz_tablecolumn_set_heights(summary->view);
    gtk_tree_view_set_model(summary->view, GTK_TREE_MODEL(summary->rows));
}

static void
clear(HpmvizMetricssummary *summary)
{
    if (summary->idle != 0)
        g_source_remove(summary->idle);
    summary->idle = 0;
    g_clear_pointer(&summary->lines, g_free);
    summary->n_lines = summary->n_done = 0;
    summary->sheet = NULL;
}

void
hpmviz_metricssummary_set_sheet(HpmvizMetricssummary *summary,
                                const struct hpmviz_sheet *sheet)
{
    gtk_tree_view_set_model(summary->view, NULL);
    clear(summary);
    summary->sheet = sheet;
    summary->key = METRIC;
    summary->is_rising = TRUE;
    hpmviz_tablecolumn_show_order(summary->view, NULL, TRUE);
    if (sheet != NULL)
        fill(summary);
}

void
hpmviz_metricssummary_refresh(HpmvizMetricssummary *summary)
{
    GtkTreeModel *model = GTK_TREE_MODEL(summary->rows);
    GtkTreeIter iter;
    gboolean is_there =
        summary->sheet != NULL && gtk_tree_model_get_iter_first(model, &iter);

    for (; is_there; is_there = gtk_tree_model_iter_next(model, &iter)) {
        GtkTreePath *path = gtk_tree_model_get_path(model, &iter);

        gtk_tree_model_row_changed(model, path, &iter);
        gtk_tree_path_free(path);
    }
}

/* ---- the object ------------------------------------------------------ */

static void
finalize(GObject *object)
{
    HpmvizMetricssummary *summary = HPMVIZ_METRICSSUMMARY(object);

    g_object_unref(summary->rows);
    g_object_unref(summary->session);
    clear(summary);
    G_OBJECT_CLASS(hpmviz_metricssummary_parent_class)->finalize(object);
}

static void
hpmviz_metricssummary_class_init(HpmvizMetricssummaryClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->finalize = finalize;
    signals[CHOSEN] = g_signal_new("chosen", HPMVIZ_TYPE_METRICSSUMMARY,
                                   G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/metricssummary.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMetricssummary, view);
    gtk_widget_class_bind_template_callback(widget, on_activated);
    gtk_widget_class_bind_template_callback(widget, on_button);
}

static void
hpmviz_metricssummary_init(HpmvizMetricssummary *summary)
{
    static const char *const none[] = {NULL};

    gtk_widget_init_template(GTK_WIDGET(summary));
    summary->rows = hpmviz_rowmodel_new();
    for (guint i = 0; i < N_KINDS; i++) {
        const char *tooltip = titles[i].tooltip;
        GtkTreeViewColumn *column = hpmviz_tablecolumn_new(
            i, _(titles[i].title), NULL, tooltip != NULL ? _(tooltip) : NULL,
            i <= UNIT ? 0.0f : 1.0f);

        gtk_tree_view_column_set_cell_data_func(
            column, GTK_CELL_RENDERER(hpmviz_tablecolumn_cell(column)),
            show_cell, summary, NULL);
        g_signal_connect(column, "clicked", G_CALLBACK(on_heading), summary);
        gtk_tree_view_append_column(summary->view, column);
        hpmviz_tablecolumn_fit(column, GTK_WIDGET(summary->view), none, 0);
    }
    gtk_tree_view_set_fixed_height_mode(summary->view, TRUE);
}

GtkWidget *
hpmviz_metricssummary_new(HpmvizSession *session)
{
    HpmvizMetricssummary *summary =
        g_object_new(HPMVIZ_TYPE_METRICSSUMMARY, NULL);

    summary->session = g_object_ref(session);
    return GTK_WIDGET(summary);
}
