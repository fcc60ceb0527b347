/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side. */
#include "hpmviz/runs/trendwindow.h"

#include <glib/gi18n.h>

#include "hpmviz/data/identity.h"
#include "hpmviz/data/trend.h"
#include "hpmviz/runs/trendchart.h"
#include "hpmviz/widgets/escape.h"
#include "hpmviz/widgets/rowmodel.h"
#include "hpmviz/widgets/safetext.h"
#include "hpmviz/widgets/tablecolumn.h"

struct _HpmvizTrendwindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    GtkWidget *kind_box, *metric_label, *chart_box, *chart_label;
    HpmvizTrendchart *chart;
    GtkTreeView *view;
    HpmvizRowmodel *rows;
    struct hpmviz_trend *trend; /* or NULL */
    gboolean is_updating;
};

G_DEFINE_TYPE(HpmvizTrendwindow, hpmviz_trendwindow, GTK_TYPE_WINDOW)

static guint printed;

/* ---- what is shown --------------------------------------------------- */

static enum hpmviz_trend_kind
kind_of(const HpmvizTrendwindow *window)
{
    return hpmviz_trend_kind_find(
        gtk_combo_box_get_active_id(GTK_COMBO_BOX(window->kind_box)));
}

static const char *
quantity_of(const HpmvizTrendwindow *window)
{
    size_t metric = hpmviz_session_metric(window->session);

    return metric != HPM_NO_QUANTITY
               ? hpmviz_session_survey(window->session)->quantities[metric].name
               : "";
}

/* Column 0 is the label, those behind it are runs. */
static void
add_text(const HpmvizTrendwindow *window, guint row, guint column,
         struct hpm_string *text)
{
    struct hpm_string label = {0};

    if (column > 0) {
        hpmviz_trend_add_text(window->trend, row, column - 1, kind_of(window),
                              quantity_of(window), text);
        return;
    }
    hpmviz_trend_add_label(window->trend, row, &label);
    hpm_string_add_safe(text, hpm_string_text(&label));
    hpm_string_free(&label);
}

static void
show_cell(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    struct hpm_string text = {0};

    add_text(data, hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter),
             hpmviz_tablecolumn_index(column), &text);
    g_object_set(renderer, "text", hpm_string_text(&text), NULL);
    hpm_string_free(&text);
}

static void
add_column(HpmvizTrendwindow *window, guint i)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    HpmvizRun *run = i == 0 ? NULL : window->trend->runs[i - 1];
    g_autofree char *name =
        run != NULL ? hpmviz_safe_line(hpmviz_run_name(run)) : NULL;
    GtkTreeViewColumn *column = hpmviz_tablecolumn_new(
        i, run != NULL ? hpmviz_run_letter(run) : _("Section"), NULL, name,
        i == 0 ? 0.0f : 1.0f);

    gtk_tree_view_column_set_clickable(column, FALSE);
    gtk_tree_view_column_set_expand(column, i == 0);
    gtk_tree_view_column_set_cell_data_func(
        column, GTK_CELL_RENDERER(hpmviz_tablecolumn_cell(column)), show_cell,
        window, NULL);
    gtk_tree_view_append_column(window->view, column);
    for (guint row = 0; row < window->trend->n_rows; row++) {
        struct hpm_string text = {0};

        add_text(window, row, i, &text);
        g_ptr_array_add(texts, hpmviz_safe_take(&text));
    }
    g_ptr_array_add(texts, NULL);
    hpmviz_tablecolumn_fit(column, GTK_WIDGET(window->view),
                           (const char *const *)texts->pdata, 30);
}

static void
list_columns(HpmvizTrendwindow *window)
{
    GtkTreeViewColumn *column;

    while ((column = gtk_tree_view_get_column(window->view, 0)) != NULL)
        gtk_tree_view_remove_column(window->view, column);
    for (guint i = 0; i <= window->trend->n_runs; i++)
        add_column(window, i);
    hpmviz_tablecolumn_set_heights(window->view);
}

/* Those of the scope that is looked at. */
static void
list_rows(HpmvizTrendwindow *window)
{
    int scope = hpmviz_session_view(window->session)->scope;
    g_autofree guint *rows = g_new(guint, window->trend->n_rows + 1);
    guint n = 0;

    for (guint i = 0; i < window->trend->n_rows; i++) {
        if (hpmviz_trend_section(window->trend, i)->scope == scope)
            rows[n++] = i;
    }
    hpmviz_rowmodel_set(window->rows, rows, NULL, n);
}

/* ---- the section ----------------------------------------------------- */

/* Once per run, and not per row: a run has thousands of sections. */
static gboolean
find_selected(const HpmvizTrendwindow *window, guint *ret_row)
{
    const struct hpm_survey *survey = hpmviz_session_survey(window->session);
    size_t selected = hpmviz_session_selected(window->session);
    struct hpmviz_identity *identity;
    gboolean is_found = FALSE;

    if (hpmviz_session_section(window->session, selected) == NULL)
        return FALSE;
    identity = hpmviz_identity_new(survey, selected);
    for (guint run = 0; run < window->trend->n_runs && !is_found; run++)
        is_found = hpmviz_trend_find_row(
            window->trend, run,
            hpmviz_identity_find(identity, window->trend->surveys[run]),
            ret_row);
    hpmviz_identity_free(identity);
    return is_found;
}

/* What the chart only draws is above it in words. */
static void
describe(HpmvizTrendwindow *window, guint row)
{
    struct hpm_string text = {0};

    add_text(window, row, 0, &text);
    for (guint i = 0; i < window->trend->n_runs; i++) {
        hpm_string_add_format(&text, i == 0 ? ": %s " : ", %s ",
                              hpmviz_run_letter(window->trend->runs[i]));
        add_text(window, row, i + 1, &text);
    }
    if (kind_of(window) != HPMVIZ_TREND_VALUE)
        hpm_string_add(&text, _("; dashed: without losses"));
    gtk_label_set_text(GTK_LABEL(window->chart_label), hpm_string_text(&text));
    hpm_string_free(&text);
}

static void
show_selected(HpmvizTrendwindow *window)
{
    GtkTreeSelection *selection = gtk_tree_view_get_selection(window->view);
    GtkTreeIter iter;
    guint row;

    window->is_updating = TRUE;
    gtk_tree_selection_unselect_all(selection);
    if (window->trend != NULL && find_selected(window, &row)) {
        if (hpmviz_rowmodel_find(window->rows, row, &iter))
            gtk_tree_selection_select_iter(selection, &iter);
        describe(window, row);
        hpmviz_trendchart_set(window->chart, window->trend, row,
                              kind_of(window), quantity_of(window));
    } else {
        gtk_label_set_text(GTK_LABEL(window->chart_label), "");
        hpmviz_trendchart_set(window->chart, NULL, 0, HPMVIZ_TREND_VALUE, "");
    }
    window->is_updating = FALSE;
}

static void
show_rows(HpmvizTrendwindow *window)
{
    g_autofree char *safe = hpmviz_safe_line(quantity_of(window));

    window->is_updating = TRUE;
    gtk_tree_view_set_model(window->view, NULL);
    list_rows(window);
    list_columns(window);
    gtk_tree_view_set_model(window->view, GTK_TREE_MODEL(window->rows));
    window->is_updating = FALSE;
    gtk_label_set_text(GTK_LABEL(window->metric_label), safe);
    show_selected(window);
}

/* Surveys may have gone with the runs. */
static void
forget(HpmvizTrendwindow *window)
{
    hpmviz_trendchart_set(window->chart, NULL, 0, HPMVIZ_TREND_VALUE, "");
    window->is_updating = TRUE;
    gtk_tree_view_set_model(window->view, NULL);
    window->is_updating = FALSE;
    g_clear_pointer(&window->trend, hpmviz_trend_free);
}

/* Sections are matched only for a window that somebody sees. */
static void
renew(HpmvizTrendwindow *window)
{
    forget(window);
    if (!gtk_widget_get_visible(GTK_WIDGET(window)))
        return;
    window->trend = hpmviz_trend_new(window->session);
    show_rows(window);
}

/* Or the metric: the same sections. */
static void
on_kind(HpmvizTrendwindow *window)
{
    if (window->session != NULL && window->trend != NULL)
        show_rows(window);
}

static void
on_selection(GtkTreeSelection *selection, gpointer data)
{
    HpmvizTrendwindow *window = data;
    const struct hpm_survey *survey = hpmviz_session_survey(window->session);
    const struct hpmviz_trend_row *row;
    struct hpmviz_identity *identity;
    GtkTreeModel *model;
    GtkTreeIter iter;
    size_t found;

    if (window->is_updating ||
        !gtk_tree_selection_get_selected(selection, &model, &iter))
        return;
    row = &window->trend
               ->rows[hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), &iter)];
    identity = hpmviz_identity_new(window->trend->surveys[row->first],
                                   row->subjects[row->first]);
    found = hpmviz_identity_find(identity, survey);
    hpmviz_identity_free(identity);
    if (found != HPM_NO_SUBJECT)
        hpmviz_session_select(window->session, found);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizTrendwindow *window = HPMVIZ_TRENDWINDOW(object);

    if (window->chart != NULL)
        hpmviz_trendchart_set(window->chart, NULL, 0, HPMVIZ_TREND_VALUE, "");
    window->chart = NULL;
    g_clear_pointer(&window->trend, hpmviz_trend_free);
    g_clear_object(&window->rows);
    g_clear_object(&window->session);
    G_OBJECT_CLASS(hpmviz_trendwindow_parent_class)->dispose(object);
}

static void
on_print(HpmvizTrendwindow *window)
{
    g_signal_emit(window, printed, 0);
}

static void
hpmviz_trendwindow_class_init(HpmvizTrendwindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/trendwindow.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizTrendwindow, kind_box);
    gtk_widget_class_bind_template_child(widget, HpmvizTrendwindow,
                                         metric_label);
    gtk_widget_class_bind_template_child(widget, HpmvizTrendwindow, chart_box);
    gtk_widget_class_bind_template_child(widget, HpmvizTrendwindow,
                                         chart_label);
    gtk_widget_class_bind_template_child(widget, HpmvizTrendwindow, view);
    gtk_widget_class_bind_template_callback(widget, on_kind);
    gtk_widget_class_bind_template_callback(widget, on_print);
    printed = g_signal_new("print", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST,
                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_trendwindow_init(HpmvizTrendwindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    window->rows = hpmviz_rowmodel_new();
    window->chart = HPMVIZ_TRENDCHART(hpmviz_trendchart_new());
    gtk_box_pack_start(GTK_BOX(window->chart_box), GTK_WIDGET(window->chart),
                       TRUE, TRUE, 0);
    g_signal_connect(gtk_tree_view_get_selection(window->view), "changed",
                     G_CALLBACK(on_selection), window);
}

GtkWidget *
hpmviz_trendwindow_new(HpmvizSession *session, GtkWindow *parent)
{
    static const char *const signals[] = {"loaded", "surveyed", "viewed"};
    HpmvizTrendwindow *window = g_object_new(
        HPMVIZ_TYPE_TRENDWINDOW, "transient-for", parent, "destroy-with-parent",
        TRUE, "default-width", 700, "default-height", 500, NULL);

    window->session = g_object_ref(session);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        g_signal_connect_object(session, signals[i], G_CALLBACK(renew), window,
                                G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "metric", G_CALLBACK(on_kind), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "selected", G_CALLBACK(show_selected),
                            window, G_CONNECT_SWAPPED);
    g_signal_connect_object(hpmviz_session_runs(session), "changed",
                            G_CALLBACK(renew), window, G_CONNECT_SWAPPED);
    g_signal_connect_after(window, "show", G_CALLBACK(renew), NULL);
    hpmviz_escape_closes(GTK_WIDGET(window));
    return GTK_WIDGET(window);
}
