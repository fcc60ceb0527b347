/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one section, a row per task and thread. */
#include "hpmviz/metricswindow.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "hpmviz/cell.h"
#include "hpmviz/columns.h"
#include "hpmviz/notebook.h"
#include "hpmviz/rowmodel.h"
#include "hpmviz/sheet.h"
#include "report/format.h"
#include "report/shown.h"

/* Columns before those of the sheet. */
enum { TASK, THREAD, N_PLACE_COLUMNS };

enum summary_column {
    METRIC,
    UNIT,
    MIN,
    LOW,
    MEDIAN,
    MEAN,
    HIGH,
    MAXIMUM,
    DEVIATION,
    N_BAD,
    N_GOOD,
    MIN_AT,
    MAX_AT,
    N_SUMMARY
};

static const char *const summary_titles[N_SUMMARY] = {
    N_("Metric"), N_("Unit"),   N_("Min"),    N_("5 %"),       N_("Median"),
    N_("Mean"),   N_("95 %"),   N_("Max"),    N_("Deviation"), N_("Bad"),
    N_("Good"),   N_("Min at"), N_("Max at"),
};

struct _HpmvizMetricswindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    struct hpmviz_sheet *sheet;
    struct hpmviz_spread *spreads; /* per column */
    GtkWidget *notebook, *all_button, *legend;
    GtkTreeView *table, *summary;
    GtkLabel *info;
    HpmvizRowmodel *rows, *summary_rows;
    guint sort_key;
    gboolean is_rising;
};

G_DEFINE_TYPE(HpmvizMetricswindow, hpmviz_metricswindow, GTK_TYPE_WINDOW)

/* ---- helpers --------------------------------------------------------- */

static guint
row_at(GtkTreeModel *model, GtkTreeIter *iter)
{
    guint row;

    gtk_tree_model_get(model, iter, HPMVIZ_ROWMODEL_ROW, &row, -1);
    return row;
}

static guint
index_of(GtkTreeViewColumn *column)
{
    return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(column), "index"));
}

static gboolean
is_dark(GtkWidget *widget)
{
    GtkStyleContext *context = gtk_widget_get_style_context(widget);
    GdkRGBA text;

    gtk_style_context_get_color(context, gtk_style_context_get_state(context),
                                &text);
    return 0.2126 * text.red + 0.7152 * text.green + 0.0722 * text.blue > 0.5;
}

static GtkTreeViewColumn *
add_column(GtkTreeView *view, const char *title, const char *tooltip,
           guint index, GtkTreeCellDataFunc show, gpointer data, float xalign,
           int width)
{
    GtkTreeViewColumn *column = gtk_tree_view_column_new();
    GtkCellRenderer *cell = hpmviz_cell_new();
    GtkWidget *heading = gtk_label_new(title);

    gtk_widget_set_tooltip_text(heading, tooltip);
    gtk_widget_show(heading);
    gtk_tree_view_column_set_widget(column, heading);
    gtk_tree_view_column_set_title(column, title);
    g_object_set(cell, "xalign", xalign, NULL);
    gtk_tree_view_column_pack_start(column, cell, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, cell, show, data, NULL);
    gtk_tree_view_column_set_sizing(column, GTK_TREE_VIEW_COLUMN_FIXED);
    gtk_tree_view_column_set_fixed_width(column, width);
    gtk_tree_view_column_set_resizable(column, TRUE);
    gtk_tree_view_column_set_reorderable(column, TRUE);
    gtk_tree_view_column_set_alignment(column, xalign);
    g_object_set_data(G_OBJECT(column), "index", GUINT_TO_POINTER(index));
    gtk_tree_view_append_column(view, column);
    return column;
}

static void
set_safe_text(GtkCellRenderer *renderer, const struct hpm_string *raw)
{
    struct hpm_string safe = {0};

    hpm_text_add_safe(&safe, hpm_string_text(raw));
    g_object_set(renderer, "text", hpm_string_text(&safe), NULL);
    hpm_string_free(&safe);
}

/* ---- the table ------------------------------------------------------- */

static void
show_place(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
           GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const HpmvizMetricswindow *window = data;
    const struct hpmviz_place *place =
        &window->sheet->places[row_at(model, iter)];
    struct hpm_string text = {0};

    if (index_of(column) == TASK)
        hpm_string_add_format(&text, "%d", place->task);
    else if (place->tid < 0)
        hpm_string_add(&text, _("process"));
    else
        hpm_string_add_format(&text, "%d", place->tid);
    set_safe_text(renderer, &text);
    hpm_string_free(&text);
}

static void
show_value(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
           GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    HpmvizMetricswindow *window = data;
    guint i = index_of(column) - N_PLACE_COLUMNS;
    const struct hpmviz_value *value =
        hpmviz_sheet_value(window->sheet, row_at(model, iter), i);
    const struct hpmviz_colours *colours =
        hpmviz_palette_colours(hpmviz_session_view(window->session)->palette,
                               is_dark(GTK_WIDGET(window)), value->verdict);
    struct hpm_string text = {0};

    hpm_string_add(&text, hpmviz_verdict_glyph(value->verdict));
    hpm_string_add(&text, text.length > 0 ? " " : "");
    hpmviz_sheet_add_text(window->sheet, i, value, &text);
    set_safe_text(renderer, &text);
    hpmviz_cell_set_colours(HPMVIZ_CELL(renderer), colours->background,
                            colours->text);
    hpm_string_free(&text);
}

static double
key_of(const HpmvizMetricswindow *window, guint row)
{
    if (window->sort_key == TASK)
        return window->sheet->places[row].task;
    if (window->sort_key == THREAD)
        return window->sheet->places[row].tid;
    return hpmviz_sheet_value(window->sheet, row,
                              window->sort_key - N_PLACE_COLUMNS)
        ->value;
}

/* What has no value comes last, whichever way. */
static int
compare_rows(guint a, guint b, gpointer data)
{
    const HpmvizMetricswindow *window = data;
    double x = key_of(window, a), y = key_of(window, b);

    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return window->is_rising ? (x > y) - (x < y) : (x < y) - (x > y);
}

static void
on_header(GtkTreeViewColumn *column, gpointer data)
{
    HpmvizMetricswindow *window = data;
    guint key = index_of(column);
    GList *columns = gtk_tree_view_get_columns(window->table);

    window->is_rising =
        key == window->sort_key ? !window->is_rising : key < N_PLACE_COLUMNS;
    window->sort_key = key;
    hpmviz_rowmodel_sort(window->rows, compare_rows, window);
    for (GList *at = columns; at != NULL; at = at->next)
        gtk_tree_view_column_set_sort_indicator(at->data, at->data == column);
    gtk_tree_view_column_set_sort_order(
        column, window->is_rising ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
    g_list_free(columns);
}

static void
fill_table(HpmvizMetricswindow *window)
{
    const struct hpmviz_sheet *sheet = window->sheet;
    guint *rows = g_new(guint, sheet->n_rows + 1);
    GtkTreeViewColumn *column;

    for (guint i = 0; i < N_PLACE_COLUMNS; i++) {
        column = add_column(window->table, i == TASK ? _("Task") : _("Thread"),
                            NULL, i, show_place, window, 1.0f, 70);
        gtk_tree_view_column_set_clickable(column, TRUE);
        g_signal_connect(column, "clicked", G_CALLBACK(on_header), window);
    }
    for (guint i = 0; i < sheet->n_columns; i++) {
        const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, i);

        column =
            add_column(window->table, quantity->name, quantity->description,
                       N_PLACE_COLUMNS + i, show_value, window, 1.0f, 130);
        gtk_tree_view_column_set_visible(column,
                                         hpmviz_sheet_is_wanted(sheet, i));
        gtk_tree_view_column_set_clickable(column, TRUE);
        g_signal_connect(column, "clicked", G_CALLBACK(on_header), window);
    }
    hpmviz_columns_remember(window->table,
                            hpmviz_session_preferences(window->session),
                            "metrics columns");
    gtk_tree_view_set_fixed_height_mode(window->table, TRUE);
    for (guint i = 0; i < sheet->n_rows; i++)
        rows[i] = i;
    hpmviz_rowmodel_set(window->rows, rows, NULL, sheet->n_rows);
    gtk_tree_view_set_model(window->table, GTK_TREE_MODEL(window->rows));
    g_free(rows);
}

static void
on_all(GtkToggleButton *button, gpointer data)
{
    HpmvizMetricswindow *window = data;
    gboolean is_all = gtk_toggle_button_get_active(button);
    GList *columns = gtk_tree_view_get_columns(window->table);

    for (GList *at = columns; at != NULL; at = at->next) {
        guint index = index_of(at->data);

        gtk_tree_view_column_set_visible(
            at->data,
            is_all || hpmviz_columns_is_wanted(
                          window->table, at->data,
                          index < N_PLACE_COLUMNS ||
                              hpmviz_sheet_is_wanted(window->sheet,
                                                     index - N_PLACE_COLUMNS)));
    }
    g_list_free(columns);
}

/* The whole story of the cell under the pointer. */
static gboolean
on_tooltip(GtkWidget *widget, int x, int y, gboolean is_by_keyboard,
           GtkTooltip *tooltip, gpointer data)
{
    HpmvizMetricswindow *window = data;
    GtkTreePath *path;
    GtkTreeViewColumn *column;
    GtkTreeIter iter;
    struct hpm_string text = {0};
    int bin_x, bin_y;

    (void)widget;
    gtk_tree_view_convert_widget_to_bin_window_coords(window->table, x, y,
                                                      &bin_x, &bin_y);
    if (is_by_keyboard ||
        !gtk_tree_view_get_path_at_pos(window->table, bin_x, bin_y, &path,
                                       &column, NULL, NULL))
        return FALSE;
    gtk_tree_model_get_iter(GTK_TREE_MODEL(window->rows), &iter, path);
    gtk_tree_path_free(path);
    if (index_of(column) < N_PLACE_COLUMNS)
        return FALSE;
    hpmviz_sheet_add_explanation(
        window->sheet, index_of(column) - N_PLACE_COLUMNS,
        hpmviz_sheet_value(window->sheet,
                           hpmviz_rowmodel_get(window->rows, &iter),
                           index_of(column) - N_PLACE_COLUMNS),
        hpmviz_session_view(window->session)->precision, &text);
    gtk_tooltip_set_text(tooltip, hpm_string_text(&text));
    hpm_string_free(&text);
    return TRUE;
}

/* ---- the summary ----------------------------------------------------- */

static void
add_where(const HpmvizMetricswindow *window, guint row, struct hpm_string *text)
{
    const struct hpmviz_place *place = &window->sheet->places[row];

    if (place->tid < 0)
        hpm_string_add_format(text, "%d", place->task);
    else
        hpm_string_add_format(text, "%d.%d", place->task, place->tid);
}

static double
summary_number(const struct hpmviz_spread *spread, enum summary_column column)
{
    switch (column) {
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
    default:
        return spread->deviation;
    }
}

static void
add_summary_text(const HpmvizMetricswindow *window, guint i,
                 enum summary_column column, struct hpm_string *text)
{
    const struct hpmviz_spread *spread = &window->spreads[i];
    const struct hpm_quantity *quantity =
        hpmviz_sheet_quantity(window->sheet, i);

    if (column == METRIC)
        hpm_string_add(text, quantity->name);
    else if (column == UNIT)
        hpm_string_add(text, hpm_shown_unit(quantity));
    else if (spread->n == 0)
        hpm_string_add(text, column == N_BAD || column == N_GOOD ? "" : "n/a");
    else if (column == N_BAD || column == N_GOOD)
        hpm_string_add_format(text, "%u",
                              column == N_BAD ? spread->n_bad : spread->n_good);
    else if (column == MIN_AT || column == MAX_AT)
        add_where(window, column == MIN_AT ? spread->min_at : spread->max_at,
                  text);
    else
        hpm_string_add_fixed(text, summary_number(spread, column), 3);
}

static void
show_summary(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
             GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    HpmvizMetricswindow *window = data;
    guint i = row_at(model, iter);
    enum summary_column kind = (enum summary_column)index_of(column);
    guint n = kind == N_BAD    ? window->spreads[i].n_bad
              : kind == N_GOOD ? window->spreads[i].n_good
                               : 0;
    enum hpm_verdict verdict = n == 0          ? HPM_VERDICT_NONE
                               : kind == N_BAD ? HPM_VERDICT_BAD
                                               : HPM_VERDICT_GOOD;
    const struct hpmviz_colours *colours =
        hpmviz_palette_colours(hpmviz_session_view(window->session)->palette,
                               is_dark(GTK_WIDGET(window)), verdict);
    struct hpm_string text = {0};

    add_summary_text(window, i, kind, &text);
    set_safe_text(renderer, &text);
    hpmviz_cell_set_colours(HPMVIZ_CELL(renderer), colours->background,
                            colours->text);
    hpm_string_free(&text);
}

static void
fill_summary(HpmvizMetricswindow *window)
{
    guint n = window->sheet->n_columns, *rows = g_new(guint, n + 1);

    window->spreads = g_new(struct hpmviz_spread, n + 1);
    for (guint i = 0; i < n; i++) {
        rows[i] = i;
        window->spreads[i] = hpmviz_sheet_spread(window->sheet, i);
    }
    for (guint i = 0; i < N_SUMMARY; i++)
        add_column(window->summary, _(summary_titles[i]), NULL, i, show_summary,
                   window, i <= UNIT ? 0.0f : 1.0f, i == METRIC ? 220 : 95);
    gtk_tree_view_set_fixed_height_mode(window->summary, TRUE);
    hpmviz_rowmodel_set(window->summary_rows, rows, NULL, n);
    gtk_tree_view_set_model(window->summary,
                            GTK_TREE_MODEL(window->summary_rows));
    g_free(rows);
}

/* ---- the section itself ---------------------------------------------- */

static void
fill_info(HpmvizMetricswindow *window)
{
    const struct hpm_survey *survey = window->sheet->survey;
    const struct hpm_subject *subject =
        &survey->subjects[window->sheet->subject];
    const struct hpm_section *section =
        &survey->study->sections[subject->section];
    struct hpm_string text = {0}, safe = {0};

    hpm_survey_add_path(survey, window->sheet->subject, &text);
    hpm_string_add_format(&text, "\n%s:%d to %d, id %d, %s scope\n",
                          section->file != NULL ? section->file : "?",
                          section->line, subject->line_end, section->instance,
                          section->scope == HPM_SCOPE_THREAD ? "thread"
                                                             : "process");
    hpm_string_add_format(&text, "%zu threads in %zu tasks\n",
                          subject->n_threads, subject->n_tasks);
    for (guint i = 0; i < window->sheet->n_columns; i++) {
        const struct hpmviz_value *value;

        if (window->sheet->n_rows == 0)
            break;
        value = hpmviz_sheet_value(window->sheet, 0, i);
        hpm_string_add(&text, "\n");
        hpmviz_sheet_add_explanation(
            window->sheet, i, value,
            hpmviz_session_view(window->session)->precision, &text);
    }
    for (const char *line = hpm_string_text(&text); *line != '\0';) {
        char *end = g_strndup(line, strcspn(line, "\n"));

        hpm_text_add_safe(&safe, end);
        hpm_string_add(&safe, "\n");
        line += strcspn(line, "\n");
        line += *line == '\n';
        g_free(end);
    }
    gtk_label_set_text(window->info, hpm_string_text(&safe));
    hpm_string_free(&text);
    hpm_string_free(&safe);
}

static void
set_title(HpmvizMetricswindow *window)
{
    struct hpm_string label = {0}, safe = {0};

    hpm_survey_add_label(window->sheet->survey, window->sheet->subject, &label);
    hpm_text_add_safe(&safe, hpm_string_text(&label));
    hpm_string_add(&safe, _(" Metrics"));
    gtk_window_set_title(GTK_WINDOW(window), hpm_string_text(&safe));
    hpm_string_free(&label);
    hpm_string_free(&safe);
}

/* ---- out of the window ----------------------------------------------- */

static void
on_copy(HpmvizMetricswindow *window)
{
    struct hpm_string csv = {0};

    hpmviz_sheet_add_csv(window->sheet, &csv);
    gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD),
                           hpm_string_text(&csv), -1);
    hpm_string_free(&csv);
}

static void
on_export(HpmvizMetricswindow *window)
{
    GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
        _("Export as CSV"), GTK_WINDOW(window), GTK_FILE_CHOOSER_ACTION_SAVE,
        _("_Save"), _("_Cancel"));
    GError *error = NULL;

    gtk_file_chooser_set_do_overwrite_confirmation(GTK_FILE_CHOOSER(chooser),
                                                   TRUE);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(chooser), "metrics.csv");
    if (gtk_native_dialog_run(GTK_NATIVE_DIALOG(chooser)) ==
        GTK_RESPONSE_ACCEPT) {
        char *path = gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(chooser));
        struct hpm_string csv = {0};

        hpmviz_sheet_add_csv(window->sheet, &csv);
        if (!g_file_set_contents(path, hpm_string_text(&csv), -1, &error)) {
            gtk_label_set_text(GTK_LABEL(window->legend), error->message);
            g_clear_error(&error);
        }
        hpm_string_free(&csv);
        g_free(path);
    }
    g_object_unref(chooser);
}

static gboolean
on_key(GtkWidget *widget, GdkEventKey *event, gpointer data)
{
    (void)data;
    if (event->keyval != GDK_KEY_Escape)
        return FALSE;
    gtk_window_close(GTK_WINDOW(widget));
    return TRUE;
}

/* ---- the object ------------------------------------------------------ */

static void
finalize(GObject *object)
{
    HpmvizMetricswindow *window = HPMVIZ_METRICSWINDOW(object);

    hpmviz_sheet_free(window->sheet);
    g_free(window->spreads);
    g_object_unref(window->rows);
    g_object_unref(window->summary_rows);
    g_object_unref(window->session);
    G_OBJECT_CLASS(hpmviz_metricswindow_parent_class)->finalize(object);
}

static void
hpmviz_metricswindow_class_init(HpmvizMetricswindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->finalize = finalize;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/metricswindow.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, notebook);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow,
                                         all_button);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, legend);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, table);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, summary);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricswindow, info);
    gtk_widget_class_bind_template_callback(widget, on_all);
    gtk_widget_class_bind_template_callback(widget, on_copy);
    gtk_widget_class_bind_template_callback(widget, on_export);
    gtk_widget_class_bind_template_callback(widget, on_key);
    gtk_widget_class_bind_template_callback(widget, on_tooltip);
}

static void
hpmviz_metricswindow_init(HpmvizMetricswindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    hpmviz_notebook_prepare(GTK_NOTEBOOK(window->notebook));
    window->rows = hpmviz_rowmodel_new();
    window->summary_rows = hpmviz_rowmodel_new();
    window->sort_key = TASK;
    window->is_rising = TRUE;
}

GtkWidget *
hpmviz_metricswindow_new(HpmvizSession *session, GtkWindow *parent)
{
    HpmvizMetricswindow *window =
        g_object_new(HPMVIZ_TYPE_METRICSWINDOW, "transient-for", parent,
                     "destroy-with-parent", TRUE, NULL);

    window->session = g_object_ref(session);
    window->sheet = hpmviz_sheet_new(hpmviz_session_survey(session),
                                     hpmviz_session_selected(session));
    fill_table(window);
    fill_summary(window);
    fill_info(window);
    set_title(window);
    if (window->sheet->n_rows > HPMVIZ_MANY_ROWS)
        gtk_notebook_set_current_page(GTK_NOTEBOOK(window->notebook), 1);
    g_signal_connect_object(session, "loaded", G_CALLBACK(gtk_widget_destroy),
                            window, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed",
                            G_CALLBACK(gtk_widget_queue_draw), window,
                            G_CONNECT_SWAPPED);
    return GTK_WIDGET(window);
}
