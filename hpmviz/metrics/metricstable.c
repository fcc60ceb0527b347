/* SPDX-License-Identifier: BSD-3-Clause
 * The values of a section, a row for each task and thread. */
#include "hpmviz/metrics/metricstable.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/data/details.h"
#include "hpmviz/widgets/columns.h"
#include "hpmviz/widgets/rowmodel.h"
#include "hpmviz/widgets/safetext.h"
#include "hpmviz/widgets/tablecolumn.h"
#include "study/report/shown.h"

/* Texts that are measured for the width of a column, and the widest it gets. */
enum { SAMPLE = 200, MOST_DIGITS = 30 };

/* Of the text below: so many lines at least, and up to so many, but no more
 * than this part of the height, if it is that long. */
enum { DETAILS_LINES = 7, MOST_DETAILS_LINES = 12, DETAILS_PERCENT = 40 };

/* Two views of one model, so that tasks and threads stay in sight:
 *
 *     places | view                        one vertical adjustment, rows of
 *     -------+-----------------            one height, one selection
 *        0.0 | 1,198   4.547 ...
 */
struct _HpmvizMetricstable {
    GtkPaned parent_instance;
    HpmvizSession *session;
    const struct hpmviz_sheet *sheet; /* NULL: nothing to show */
    HpmvizRowmodel *rows;
    GtkTreeView *places, *view;
    GtkWidget *places_window, *view_window, *vertical, *horizontal, *details,
        *details_window;
    guint key; /* that the rows were ordered by last; HPMVIZ_KEY_... */
    gboolean is_rising;
    char *key_name; /* of a column, to find it again in other files */
    guint current_row, current_column; /* of the sheet: where the cursor is */
    gboolean is_selecting;
    gboolean is_filling;
    gboolean is_led; /* to a cell, from where the user has not gone on */
    int details_line, details_height; /* of a line; the least there is */
    guint settling;                   /* the source that will */
};

G_DEFINE_TYPE(HpmvizMetricstable, hpmviz_metricstable, GTK_TYPE_PANED)

static guint moved;

static enum hpm_precision
precision_of(const HpmvizMetricstable *table)
{
    return hpmviz_session_view(table->session)->precision;
}

static guint
row_at(GtkTreeModel *model, GtkTreeIter *iter)
{
    return hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter);
}

/* ---- cells ----------------------------------------------------------- */

static void
show_place(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
           GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const HpmvizMetricstable *table = data;
    const struct hpmviz_place *place =
        &table->sheet->places[row_at(model, iter)];
    char number[24];

    g_snprintf(number, sizeof number, "%d",
               hpmviz_tablecolumn_index(column) == HPMVIZ_KEY_TASK
                   ? place->task
                   : place->tid);
    g_object_set(renderer, "text",
                 hpmviz_tablecolumn_index(column) == HPMVIZ_KEY_THREAD &&
                         place->tid < 0
                     ? _("process")
                     : number,
                 NULL);
}

static void
show_value(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
           GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    HpmvizMetricstable *table = data;
    guint i = hpmviz_tablecolumn_index(column);
    const struct hpmviz_value *value =
        hpmviz_sheet_value(table->sheet, row_at(model, iter), i);
    struct hpm_string text = {0};

    hpmviz_details_add_text(table->sheet, i, value, &text);
    hpmviz_cell_set_current(HPMVIZ_CELL(renderer),
                            i == table->current_column &&
                                row_at(model, iter) == table->current_row);
    hpmviz_cell_set_verdict(
        HPMVIZ_CELL(renderer), GTK_WIDGET(table),
        hpmviz_session_view(table->session)->palette,
        (enum hpm_verdict)value->verdicts[precision_of(table)],
        hpm_string_text(&text));
    hpm_string_free(&text);
}

/* ---- the details ------------------------------------------------------- */

static char *
tell(const HpmvizMetricstable *table, GtkTreePath *path,
     GtkTreeViewColumn *column)
{
    struct hpm_string text = {0};
    GtkTreeIter iter;

    if (table->sheet == NULL || path == NULL || column == NULL ||
        !gtk_tree_model_get_iter(GTK_TREE_MODEL(table->rows), &iter, path))
        return NULL;
    hpmviz_details_add(table->sheet, hpmviz_rowmodel_get(table->rows, &iter),
                       hpmviz_tablecolumn_index(column), precision_of(table),
                       &text);
    return hpmviz_safe_take(&text);
}

static char *
describe(guint place, gpointer data)
{
    GtkTreeViewColumn *column = data;
    GtkWidget *view = gtk_tree_view_column_get_tree_view(column);
    GtkWidget *table =
        view != NULL ? gtk_widget_get_ancestor(view, HPMVIZ_TYPE_METRICSTABLE)
                     : NULL;
    GtkTreePath *path = gtk_tree_path_new_from_indices((int)place, -1);
    char *text =
        table != NULL ? tell(HPMVIZ_METRICSTABLE(table), path, column) : NULL;

    gtk_tree_path_free(path);
    return text;
}

/* Where a row has the cursor and none of its cells, that is the first. */
static void
find_cursor(HpmvizMetricstable *table, GtkTreePath **ret_path,
            GtkTreeViewColumn **ret_column)
{
    GtkTreeViewColumn *at;
    GtkTreeIter iter;

    gtk_tree_view_get_cursor(table->view, ret_path, ret_column);
    for (int i = 0; *ret_column == NULL &&
                    (at = gtk_tree_view_get_column(table->view, i)) != NULL;
         i++) {
        if (gtk_tree_view_column_get_visible(at))
            *ret_column = at;
    }
    table->current_row = table->current_column = HPMVIZ_NONE;
    if (table->sheet == NULL || *ret_path == NULL || *ret_column == NULL ||
        !gtk_tree_model_get_iter(GTK_TREE_MODEL(table->rows), &iter, *ret_path))
        return;
    table->current_row = hpmviz_rowmodel_get(table->rows, &iter);
    table->current_column = hpmviz_tablecolumn_index(*ret_column);
}

/* Of the cell under the pointer, or by keyboard of that under the cursor. */
static gboolean
on_tooltip(GtkWidget *widget, int x, int y, gboolean is_by_keyboard,
           GtkTooltip *tooltip, gpointer data)
{
    HpmvizMetricstable *table = data;
    GtkTreePath *path = NULL;
    GtkTreeViewColumn *column = NULL;
    char *text;

    (void)widget;
    if (is_by_keyboard) {
        find_cursor(table, &path, &column);
    } else {
        gtk_tree_view_convert_widget_to_bin_window_coords(table->view, x, y, &x,
                                                          &y);
        gtk_tree_view_get_path_at_pos(table->view, x, y, &path, &column, NULL,
                                      NULL);
    }
    text = tell(table, path, column);
    if (text != NULL) {
        gtk_tooltip_set_text(tooltip, text);
        gtk_tree_view_set_tooltip_cell(table->view, tooltip, path, column,
                                       NULL);
    }
    gtk_tree_path_free(path);
    g_free(text);
    return text != NULL;
}

/* Room for a long text, which stays: the rows above do not go up and down with
 * each value. */
static void
fit_details(HpmvizMetricstable *table)
{
    int line = table->details_line, natural, most,
        width = gtk_widget_get_allocated_width(table->details_window),
        whole = gtk_widget_get_allocated_height(GTK_WIDGET(table));

    gtk_widget_get_preferred_height_for_width(table->details, width, NULL,
                                              &natural);
    most = MIN(MOST_DETAILS_LINES * line, whole * DETAILS_PERCENT / 100);
    most = MAX(most, DETAILS_LINES * line);
    if (MIN(natural, most) <= table->details_height)
        return;
    table->details_height = MIN(natural, most);
    gtk_scrolled_window_set_min_content_height(
        GTK_SCROLLED_WINDOW(table->details_window), table->details_height);
}

/* A cell that was gone to before the window had its size, which the window
 * manager gives it, is brought into sight again, until the user does something.
 */
static gboolean
settle(gpointer data)
{
    HpmvizMetricstable *table = data;
    GtkTreePath *path = NULL;
    GtkTreeViewColumn *column = NULL;

    table->settling = 0;
    fit_details(table);
    gtk_tree_view_get_cursor(table->view, &path, &column);
    if (table->is_led && path != NULL && column != NULL)
        gtk_tree_view_scroll_to_cell(table->view, path, column, FALSE, 0, 0);
    gtk_tree_path_free(path);
    return G_SOURCE_REMOVE;
}

static void
on_allocated(HpmvizMetricstable *table)
{
    if (table->settling == 0)
        table->settling =
            g_idle_add_full(GDK_PRIORITY_REDRAW - 1, settle, table, NULL);
}

static gboolean
on_user(HpmvizMetricstable *table)
{
    table->is_led = FALSE;
    return GDK_EVENT_PROPAGATE;
}

/* Does a key or a button in the view move the cursor now, and not the program? */
static gboolean
is_moved_by_user(const HpmvizMetricstable *table)
{
    g_autoptr(GdkEvent) event = gtk_get_current_event();

    return event != NULL && !table->is_filling &&
           (event->type == GDK_KEY_PRESS || event->type == GDK_BUTTON_PRESS) &&
           gtk_get_event_widget(event) == GTK_WIDGET(table->view);
}

static void
on_cursor(GtkTreeView *view, gpointer data)
{
    HpmvizMetricstable *table = data;
    GtkTreePath *path = NULL;
    GtkTreeViewColumn *column = NULL;
    guint before = table->current_row;
    char *text;

    if (gtk_widget_in_destruction(GTK_WIDGET(table)))
        return;
    find_cursor(table, &path, &column);
    gtk_widget_queue_draw(GTK_WIDGET(view));
    text = tell(table, path, column);
    gtk_label_set_text(
        GTK_LABEL(table->details),
        text != NULL ? text
        : table->sheet != NULL
            ? _("The meaning of a value stands here when the cursor is on it.")
            : "");
    on_allocated(table);
    gtk_tree_path_free(path);
    g_free(text);
    if (table->current_row != before && table->current_row != HPMVIZ_NONE &&
        is_moved_by_user(table))
        g_signal_emit(table, moved, 0, table->current_row);
}

/* ---- order ----------------------------------------------------------- */

static int
compare_rows(guint a, guint b, gpointer data)
{
    const HpmvizMetricstable *table = data;

    return hpmviz_sheet_compare(table->sheet, a, b, table->key,
                                table->is_rising);
}

static void
show_order(HpmvizMetricstable *table)
{
    GtkTreeView *views[] = {table->places, table->view};
    guint first[] = {0, HPMVIZ_KEY_COLUMN};

    for (int v = 0; v < 2; v++) {
        GtkTreeViewColumn *column, *by = NULL;

        for (int i = 0;
             (column = gtk_tree_view_get_column(views[v], i)) != NULL; i++) {
            if (hpmviz_tablecolumn_index(column) + first[v] == table->key)
                by = column;
        }
        hpmviz_tablecolumn_show_order(views[v], by, table->is_rising);
    }
}

/* Rows that the key does not tell apart stay in the order of the key before. */
static void
sort(HpmvizMetricstable *table, guint key, gboolean is_rising)
{
    table->key = key;
    table->is_rising = is_rising;
    g_clear_pointer(&table->key_name, g_free);
    if (key >= HPMVIZ_KEY_COLUMN)
        table->key_name = g_strdup(
            hpmviz_sheet_quantity(table->sheet, key - HPMVIZ_KEY_COLUMN)->name);
    hpmviz_rowmodel_sort(table->rows, compare_rows, table);
    show_order(table);
}

static void
on_heading(HpmvizMetricstable *table, guint key)
{
    if (table->sheet == NULL)
        return;
    sort(table, key,
         key == table->key ? !table->is_rising : key < HPMVIZ_KEY_COLUMN);
}

static void
on_place_heading(GtkTreeViewColumn *column, gpointer data)
{
    on_heading(data, hpmviz_tablecolumn_index(column));
}

static void
on_value_heading(GtkTreeViewColumn *column, gpointer data)
{
    on_heading(data, HPMVIZ_KEY_COLUMN + hpmviz_tablecolumn_index(column));
}

/* ---- one selection --------------------------------------------------- */

static void
select_path(GtkTreeModel *model, GtkTreePath *path, GtkTreeIter *iter,
            gpointer data)
{
    (void)model;
    (void)iter;
    gtk_tree_selection_select_path(data, path);
}

static void
on_selection(GtkTreeSelection *selection, gpointer data)
{
    HpmvizMetricstable *table = data;
    GtkTreeView *view = gtk_tree_selection_get_tree_view(selection);
    GtkTreeSelection *other = gtk_tree_view_get_selection(
        view == table->view ? table->places : table->view);

    if (table->is_selecting ||
        gtk_tree_view_get_model(gtk_tree_selection_get_tree_view(other)) ==
            NULL)
        return;
    table->is_selecting = TRUE;
    gtk_tree_selection_unselect_all(other);
    gtk_tree_selection_selected_foreach(selection, select_path, other);
    table->is_selecting = FALSE;
}

/* ---- columns --------------------------------------------------------- */

static void
add_place_column(HpmvizMetricstable *table, guint key, const char *title,
                 const char *widest)
{
    const char *const texts[] = {widest, NULL};
    GtkTreeViewColumn *column =
        hpmviz_tablecolumn_new(key, title, NULL, NULL, 1.0f);

    gtk_tree_view_column_set_cell_data_func(
        column, GTK_CELL_RENDERER(hpmviz_tablecolumn_cell(column)), show_place,
        table, NULL);
    gtk_tree_view_append_column(table->places, column);
    g_signal_connect(column, "clicked", G_CALLBACK(on_place_heading), table);
    hpmviz_tablecolumn_fit(column, GTK_WIDGET(table->places), texts,
                           MOST_DIGITS);
}

/* Some rows, from all over the sheet. */
static void
fit(HpmvizMetricstable *table, GtkTreeViewColumn *column)
{
    const struct hpmviz_sheet *sheet = table->sheet;
    guint step = sheet->n_rows / SAMPLE + 1, i;
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);

    for (i = 0; i < sheet->n_rows; i += step) {
        guint at = hpmviz_tablecolumn_index(column);
        struct hpm_string text = {0};

        hpm_string_add(&text, hpmviz_verdict_glyph(HPM_VERDICT_BAD));
        hpm_string_add_char(&text, ' ');
        hpmviz_details_add_text(sheet, at, hpmviz_sheet_value(sheet, i, at),
                                &text);
        g_ptr_array_add(texts, hpmviz_safe_take(&text));
    }
    g_ptr_array_add(texts, NULL);
    hpmviz_tablecolumn_fit(column, GTK_WIDGET(table->view),
                           (const char *const *)texts->pdata, MOST_DIGITS);
    g_ptr_array_unref(texts);
}

static void
add_value_column(HpmvizMetricstable *table, guint i)
{
    const struct hpm_quantity *quantity =
        hpmviz_sheet_quantity(table->sheet, i);
    char *title = hpmviz_safe_line(quantity->name);
    char *unit = hpmviz_safe_line(hpm_shown_unit(quantity));
    struct hpm_string details = {0};
    GtkTreeViewColumn *column;
    HpmvizCell *cell;
    char *tooltip;

    hpmviz_details_add_column(table->sheet, i, &details);
    tooltip = hpmviz_safe_take(&details);
    column = hpmviz_tablecolumn_new(i, title, unit, tooltip, 1.0f);
    cell = hpmviz_tablecolumn_cell(column);
    hpmviz_columns_set_name(column, quantity->name);
    hpmviz_cell_set_describe(cell, describe, column);
    gtk_tree_view_column_set_reorderable(column, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, GTK_CELL_RENDERER(cell),
                                            show_value, table, NULL);
    gtk_tree_view_column_set_visible(column,
                                     hpmviz_sheet_is_wanted(table->sheet, i));
    g_signal_connect(column, "clicked", G_CALLBACK(on_value_heading), table);
    fit(table, column);
    gtk_tree_view_append_column(table->view, column);
    g_free(title);
    g_free(unit);
    g_free(tooltip);
}

static void
remove_columns(GtkTreeView *view)
{
    GtkTreeViewColumn *column;

    while ((column = gtk_tree_view_get_column(view, 0)) != NULL)
        gtk_tree_view_remove_column(view, column);
}

/* ---- the sheet ------------------------------------------------------- */

static void
set_model(HpmvizMetricstable *table, GtkTreeModel *model)
{
    gtk_tree_view_set_model(table->places, model);
    gtk_tree_view_set_model(table->view, model);
}

/* As the rows were ordered before, if that is still possible. */
static void
sort_again(HpmvizMetricstable *table)
{
    guint key = table->key;

    if (table->key_name != NULL) {
        guint column = hpmviz_sheet_find_name(table->sheet, table->key_name);

        key = column != HPMVIZ_NONE ? HPMVIZ_KEY_COLUMN + column
                                    : HPMVIZ_KEY_TASK;
    }
    sort(table, key, table->is_rising);
}

static void
fill(HpmvizMetricstable *table)
{
    const struct hpmviz_sheet *sheet = table->sheet;
    guint *rows = g_new(guint, sheet->n_rows + 1);

    for (guint i = 0; i < sheet->n_columns; i++)
        add_value_column(table, i);
    hpmviz_tablecolumn_set_heights(table->places);
    hpmviz_tablecolumn_set_heights(table->view);
    hpmviz_columns_remember(
        table->view, hpmviz_session_preferences(table->session), "metrics");
    for (guint i = 0; i < sheet->n_rows; i++)
        rows[i] = i;
    hpmviz_rowmodel_set(table->rows, rows, NULL, sheet->n_rows);
    g_free(rows);
    sort_again(table);
    set_model(table, GTK_TREE_MODEL(table->rows));
}

void
hpmviz_metricstable_set_sheet(HpmvizMetricstable *table,
                              const struct hpmviz_sheet *sheet)
{
    table->is_filling = TRUE;
    set_model(table, NULL);
    hpmviz_columns_hold(table->view);
    remove_columns(table->view);
    table->sheet = sheet;
    if (sheet != NULL)
        fill(table);
    on_cursor(table->view, table);
    table->is_filling = FALSE;
}

GtkTreeView *
hpmviz_metricstable_view(HpmvizMetricstable *table)
{
    return table->view;
}

GtkTreeView *
hpmviz_metricstable_places(HpmvizMetricstable *table)
{
    return table->places;
}

void
hpmviz_metricstable_go_to(HpmvizMetricstable *table, guint row, guint column)
{
    GtkTreeViewColumn *at;
    GtkTreePath *path;
    GtkTreeIter iter;

    if (table->sheet == NULL || !hpmviz_rowmodel_find(table->rows, row, &iter))
        return;
    path = gtk_tree_model_get_path(GTK_TREE_MODEL(table->rows), &iter);
    for (int i = 0; (at = gtk_tree_view_get_column(table->view, i)) != NULL;
         i++) {
        if (hpmviz_tablecolumn_index(at) != column)
            continue;
        gtk_tree_view_column_set_visible(at, TRUE);
        gtk_tree_view_set_cursor(table->view, path, at, FALSE);
        gtk_tree_view_scroll_to_cell(table->view, path, at, FALSE, 0, 0);
        table->is_led = TRUE;
        break;
    }
    on_cursor(table->view, table); /* told before the column was set */
    gtk_tree_path_free(path);
    gtk_widget_grab_focus(GTK_WIDGET(table->view));
}

void
hpmviz_metricstable_show_row(HpmvizMetricstable *table, guint row)
{
    g_autoptr(GtkTreePath) path = NULL;
    g_autoptr(GtkTreePath) before = NULL;
    GtkTreeViewColumn *column = NULL;
    GtkTreeIter iter;

    if (table->sheet == NULL || row == table->current_row ||
        !hpmviz_rowmodel_find(table->rows, row, &iter))
        return;
    find_cursor(table, &before, &column);
    path = gtk_tree_model_get_path(GTK_TREE_MODEL(table->rows), &iter);
    gtk_tree_view_set_cursor(table->view, path, column, FALSE);
    gtk_tree_view_scroll_to_cell(table->view, path, NULL, FALSE, 0, 0);
    on_cursor(table->view, table);
}

void
hpmviz_metricstable_focus(HpmvizMetricstable *table)
{
    GtkTreePath *path = NULL;

    gtk_tree_view_get_cursor(table->view, &path, NULL);
    if (path == NULL && table->sheet != NULL && table->sheet->n_rows > 0) {
        path = gtk_tree_path_new_first();
        gtk_tree_view_set_cursor(table->view, path, NULL, FALSE);
    }
    gtk_tree_path_free(path);
    gtk_widget_grab_focus(GTK_WIDGET(table->view));
}

static gboolean
is_judged_otherwise(const struct hpmviz_sheet *sheet, guint row)
{
    for (guint i = 0; i < sheet->n_columns; i++) {
        const struct hpmviz_value *value = hpmviz_sheet_value(sheet, row, i);

        if (value->verdicts[0] != value->verdicts[1])
            return TRUE;
    }
    return FALSE;
}

/* Rows that look otherwise are told of, for assistive technologies keep the
 * texts. */
void
hpmviz_metricstable_judge(HpmvizMetricstable *table, enum hpm_precision before)
{
    GtkTreeModel *model = GTK_TREE_MODEL(table->rows);
    GtkTreeIter iter;
    gboolean is_there;

    if (table->sheet == NULL)
        return;
    is_there = before != precision_of(table) &&
               gtk_tree_model_get_iter_first(model, &iter);
    for (; is_there; is_there = gtk_tree_model_iter_next(model, &iter)) {
        GtkTreePath *path;

        if (!is_judged_otherwise(table->sheet, row_at(model, &iter)))
            continue;
        path = gtk_tree_model_get_path(model, &iter);
        gtk_tree_model_row_changed(model, path, &iter);
        gtk_tree_path_free(path);
    }
    gtk_widget_queue_draw(GTK_WIDGET(table));
    on_cursor(table->view, table);
}

/* ---- out of it ------------------------------------------------------- */

struct hpmviz_extract
hpmviz_metricstable_extract(HpmvizMetricstable *table, gboolean is_selection)
{
    GtkTreeModel *model = GTK_TREE_MODEL(table->rows);
    GtkTreeSelection *selection = gtk_tree_view_get_selection(table->view);
    guint *rows = g_new(guint, hpmviz_rowmodel_n_rows(table->rows) + 1);
    guint *columns = g_new(guint, table->sheet->n_columns + 1);
    struct hpmviz_extract extract = {table->sheet, rows, 0, columns, 0};
    GtkTreeViewColumn *column;
    GtkTreeIter iter;
    gboolean is_there = gtk_tree_model_get_iter_first(model, &iter);

    for (; is_there; is_there = gtk_tree_model_iter_next(model, &iter)) {
        if (!is_selection ||
            gtk_tree_selection_iter_is_selected(selection, &iter))
            rows[extract.n_rows++] = row_at(model, &iter);
    }
    for (int i = 0; (column = gtk_tree_view_get_column(table->view, i)) != NULL;
         i++) {
        if (gtk_tree_view_column_get_visible(column))
            columns[extract.n_columns++] = hpmviz_tablecolumn_index(column);
    }
    return extract;
}

/* ---- the object ------------------------------------------------------ */

/* The font may be another one. */
static void
on_style(HpmvizMetricstable *table)
{
    if (table->sheet == NULL)
        return;
    hpmviz_tablecolumn_set_heights(table->places);
    hpmviz_tablecolumn_set_heights(table->view);
}

/* A scrollbar that has nothing to do takes no room. */
static void
on_adjustment(GtkAdjustment *adjustment, gpointer scrollbar)
{
    gtk_widget_set_visible(scrollbar,
                           gtk_adjustment_get_upper(adjustment) >
                               gtk_adjustment_get_page_size(adjustment));
}

static void
dispose(GObject *object)
{
    HpmvizMetricstable *table = HPMVIZ_METRICSTABLE(object);

    if (table->settling != 0)
        g_source_remove(table->settling);
    table->settling = 0;
    table->sheet = NULL;
    g_clear_object(&table->session);
    G_OBJECT_CLASS(hpmviz_metricstable_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    HpmvizMetricstable *table = HPMVIZ_METRICSTABLE(object);

    g_object_unref(table->rows);
    g_free(table->key_name);
    G_OBJECT_CLASS(hpmviz_metricstable_parent_class)->finalize(object);
}

static void
hpmviz_metricstable_class_init(HpmvizMetricstableClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/metricstable.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable, places);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable, view);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable,
                                         places_window);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable,
                                         view_window);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable, vertical);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable,
                                         horizontal);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable, details);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricstable,
                                         details_window);
    moved = g_signal_new("moved", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST,
                         0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
    gtk_widget_class_bind_template_callback(widget, on_tooltip);
    gtk_widget_class_bind_template_callback(widget, on_cursor);
    gtk_widget_class_bind_template_callback(widget, on_style);
}

static void
join_scrolling(HpmvizMetricstable *table)
{
    GtkScrolledWindow *window = GTK_SCROLLED_WINDOW(table->view_window);
    GtkAdjustment *down = gtk_scrolled_window_get_vadjustment(window);
    GtkAdjustment *across = gtk_scrolled_window_get_hadjustment(window);

    gtk_scrolled_window_set_vadjustment(
        GTK_SCROLLED_WINDOW(table->places_window), down);
    gtk_range_set_adjustment(GTK_RANGE(table->vertical), down);
    gtk_range_set_adjustment(GTK_RANGE(table->horizontal), across);
    g_signal_connect_object(across, "changed", G_CALLBACK(on_adjustment),
                            table->horizontal, 0);
    g_signal_connect_object(down, "changed", G_CALLBACK(on_adjustment),
                            table->vertical, 0);
}

/* The details of most values are seen without scrolling. */
static void
set_details_height(HpmvizMetricstable *table)
{
    PangoLayout *layout = gtk_widget_create_pango_layout(table->details, "0");

    pango_layout_get_pixel_size(layout, NULL, &table->details_line);
    table->details_height = DETAILS_LINES * table->details_line;
    gtk_scrolled_window_set_min_content_height(
        GTK_SCROLLED_WINDOW(table->details_window), table->details_height);
    g_object_unref(layout);
}

static void
follow_size(HpmvizMetricstable *table)
{
    static const char *const acts[] = {"scroll-event", "button-press-event",
                                       "key-press-event"};
    GtkWidget *scrolled[] = {GTK_WIDGET(table->view), table->horizontal};

    g_signal_connect_swapped(table->view, "size-allocate",
                             G_CALLBACK(on_allocated), table);
    for (gsize i = 0; i < G_N_ELEMENTS(acts); i++) {
        for (gsize j = 0; j < G_N_ELEMENTS(scrolled); j++)
            g_signal_connect_swapped(scrolled[j], acts[i], G_CALLBACK(on_user),
                                     table);
    }
}

static void
hpmviz_metricstable_init(HpmvizMetricstable *table)
{
    GtkTreeView *views[2];

    gtk_widget_init_template(GTK_WIDGET(table));
    set_details_height(table);
    table->rows = hpmviz_rowmodel_new();
    table->key = HPMVIZ_KEY_TASK;
    table->is_rising = TRUE;
    join_scrolling(table);
    add_place_column(table, HPMVIZ_KEY_TASK, _("Task"), "10000");
    add_place_column(table, HPMVIZ_KEY_THREAD, _("Thread"), _("process"));
    views[0] = table->places;
    views[1] = table->view;
    follow_size(table);
    for (int i = 0; i < 2; i++) {
        GtkTreeSelection *selection = gtk_tree_view_get_selection(views[i]);

        gtk_tree_view_set_fixed_height_mode(views[i], TRUE);
        gtk_tree_selection_set_mode(selection, GTK_SELECTION_MULTIPLE);
        g_signal_connect(selection, "changed", G_CALLBACK(on_selection), table);
    }
}

GtkWidget *
hpmviz_metricstable_new(HpmvizSession *session)
{
    HpmvizMetricstable *table = g_object_new(HPMVIZ_TYPE_METRICSTABLE, NULL);

    table->session = g_object_ref(session);
    return GTK_WIDGET(table);
}
