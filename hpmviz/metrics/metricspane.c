/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of the section that is selected. */
#include "hpmviz/metrics/metricspane.h"

#include <glib/gi18n.h>

#include "hpmviz/data/metriclist.h"
#include "hpmviz/widgets/rowmodel.h"
#include "hpmviz/widgets/safetext.h"
#include "hpmviz/widgets/tablecolumn.h"

struct _HpmvizMetricspane {
    GtkBox parent_instance;
    HpmvizSession *session;
    GtkWidget *worst_label;
    GtkTreeView *view;
    HpmvizRowmodel *rows;
    struct hpmviz_metriclist *list; /* NULL: nothing is open */
    gboolean is_updating;
};

G_DEFINE_TYPE(HpmvizMetricspane, hpmviz_metricspane, GTK_TYPE_BOX)

static guint opened;

/* ---- cells ----------------------------------------------------------- */

static void
show_cell(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    HpmvizMetricspane *pane = data;
    guint line = hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter);
    enum hpmviz_metriclist_column kind =
        (enum hpmviz_metriclist_column)hpmviz_tablecolumn_index(column);
    struct hpm_string text = {0};

    hpmviz_metriclist_add_text(pane->list, line, kind, &text);
    hpmviz_cell_set_verdict(HPMVIZ_CELL(renderer), GTK_WIDGET(pane),
                            hpmviz_session_view(pane->session)->palette,
                            hpmviz_metriclist_verdict(pane->list, line, kind),
                            hpm_string_text(&text));
    hpm_string_free(&text);
}

static void
fit(HpmvizMetricspane *pane, GtkTreeViewColumn *column)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < pane->list->n; i++) {
        struct hpm_string text = {0};

        hpmviz_metriclist_add_text(
            pane->list, i,
            (enum hpmviz_metriclist_column)hpmviz_tablecolumn_index(column),
            &text);
        hpm_string_add(&text, "✗ ");
        g_ptr_array_add(texts, hpmviz_safe_take(&text));
    }
    g_ptr_array_add(texts, NULL);
    hpmviz_tablecolumn_fit(column, GTK_WIDGET(pane->view),
                           (const char *const *)texts->pdata, 30);
}

/* ---- columns --------------------------------------------------------- */

static const char *
tooltip_of(const struct hpmviz_metriclist *list, guint column)
{
    if (column == HPMVIZ_METRICLIST_WHOLE && !list->is_change)
        return _("of all threads together");
    if (column == HPMVIZ_METRICLIST_WORST && !list->is_change)
        return _(
            "of the thread, or process, that is farthest beyond its limit");
    if (column == HPMVIZ_METRICLIST_BAD && !list->is_change)
        return _("values beyond their limits");
    return NULL;
}

static void
add_column(HpmvizMetricspane *pane, guint i)
{
    g_autofree char *title =
        hpmviz_metriclist_title(pane->list, (enum hpmviz_metriclist_column)i);
    GtkTreeViewColumn *column;

    if (*title == '\0')
        return;
    column = hpmviz_tablecolumn_new(
        i, title, NULL, tooltip_of(pane->list, i),
        i == HPMVIZ_METRICLIST_NAME || i == HPMVIZ_METRICLIST_UNIT ? 0.0f
                                                                   : 1.0f);
    gtk_tree_view_column_set_clickable(column, FALSE);
    gtk_tree_view_column_set_cell_data_func(
        column, GTK_CELL_RENDERER(hpmviz_tablecolumn_cell(column)), show_cell,
        pane, NULL);
    gtk_tree_view_append_column(pane->view, column);
}

/* What changed is in sight in a narrow pane, too. */
static const guint order_of_change[HPMVIZ_METRICLIST_N_COLUMNS] = {
    HPMVIZ_METRICLIST_NAME,  HPMVIZ_METRICLIST_BAD,   HPMVIZ_METRICLIST_RATIO,
    HPMVIZ_METRICLIST_WHOLE, HPMVIZ_METRICLIST_WORST, HPMVIZ_METRICLIST_UNIT};

static void
list_columns(HpmvizMetricspane *pane)
{
    GtkTreeViewColumn *column;

    while ((column = gtk_tree_view_get_column(pane->view, 0)) != NULL)
        gtk_tree_view_remove_column(pane->view, column);
    for (guint i = 0; i < HPMVIZ_METRICLIST_N_COLUMNS; i++)
        add_column(pane, pane->list->is_change ? order_of_change[i] : i);
    for (int i = 0; (column = gtk_tree_view_get_column(pane->view, i)) != NULL;
         i++)
        fit(pane, column);
    hpmviz_tablecolumn_set_heights(pane->view);
}

/* ---- what is said of a line ------------------------------------------ */

static gboolean
on_tooltip(GtkWidget *widget, gint x, gint y, gboolean is_keyboard,
           GtkTooltip *tooltip, gpointer data)
{
    HpmvizMetricspane *pane = data;
    GtkTreeView *view = GTK_TREE_VIEW(widget);
    struct hpm_string text = {0};
    g_autofree char *safe = NULL;
    GtkTreeModel *model;
    GtkTreePath *path;
    GtkTreeIter iter;

    if (pane->list == NULL ||
        !gtk_tree_view_get_tooltip_context(view, &x, &y, is_keyboard, &model,
                                           &path, &iter))
        return FALSE;
    hpmviz_metriclist_add_details(
        pane->list, hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), &iter), &text);
    safe = hpmviz_safe_take(&text);
    gtk_tooltip_set_text(tooltip, g_strchomp(safe));
    gtk_tree_view_set_tooltip_row(view, tooltip, path);
    gtk_tree_path_free(path);
    return TRUE;
}

/* ---- what is shown --------------------------------------------------- */

static void
show_worst(HpmvizMetricspane *pane)
{
    struct hpm_string text = {0};

    if (hpmviz_session_section(pane->session, pane->list->subject) == NULL)
        hpm_string_add(&text, _("no section is selected"));
    else if (!hpmviz_session_has_metrics(pane->session))
        hpm_string_add(&text, _("metrics are being worked out"));
    else
        hpmviz_metriclist_add_worst(pane->list, &text);
    gtk_label_set_text(GTK_LABEL(pane->worst_label), hpm_string_text(&text));
    hpm_string_free(&text);
}

static void
select_metric(HpmvizMetricspane *pane)
{
    GtkTreeSelection *selection = gtk_tree_view_get_selection(pane->view);
    size_t quantity = hpmviz_session_metric(pane->session);
    GtkTreeIter iter;

    pane->is_updating = TRUE;
    gtk_tree_selection_unselect_all(selection);
    for (guint i = 0; pane->list != NULL && i < pane->list->n; i++) {
        if (pane->list->lines[i].quantity == quantity &&
            hpmviz_rowmodel_find(pane->rows, i, &iter))
            gtk_tree_selection_select_iter(selection, &iter);
    }
    pane->is_updating = FALSE;
}

/* The survey may be another one, and what pointed into it is gone. */
static void
show(HpmvizMetricspane *pane)
{
    g_autofree guint *rows = NULL;

    pane->is_updating = TRUE;
    gtk_tree_view_set_model(pane->view, NULL);
    hpmviz_metriclist_free(pane->list);
    pane->list = hpmviz_metriclist_new(pane->session,
                                       hpmviz_session_selected(pane->session));
    rows = g_new(guint, pane->list->n + 1);
    for (guint i = 0; i < pane->list->n; i++)
        rows[i] = i;
    hpmviz_rowmodel_set(pane->rows, rows, NULL, pane->list->n);
    list_columns(pane);
    gtk_tree_view_set_model(pane->view, GTK_TREE_MODEL(pane->rows));
    pane->is_updating = FALSE;
    show_worst(pane);
    select_metric(pane);
}

/* ---- what the user does ---------------------------------------------- */

static void
on_selection(GtkTreeSelection *selection, gpointer data)
{
    HpmvizMetricspane *pane = data;
    GtkTreeModel *model;
    GtkTreeIter iter;
    guint line;

    if (pane->is_updating ||
        !gtk_tree_selection_get_selected(selection, &model, &iter))
        return;
    line = hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), &iter);
    hpmviz_session_select_metric(
        pane->session, hpmviz_session_survey(pane->session)
                           ->quantities[pane->list->lines[line].quantity]
                           .name);
}

static void
on_activated(HpmvizMetricspane *pane)
{
    g_signal_emit(pane, opened, 0);
}

static gboolean
on_button(HpmvizMetricspane *pane, GdkEventButton *event)
{
    if (event->type != GDK_BUTTON_PRESS ||
        event->button != GDK_BUTTON_SECONDARY)
        return FALSE;
    g_signal_emit(pane, opened, 0);
    return TRUE;
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizMetricspane *pane = HPMVIZ_METRICSPANE(object);

    if (pane->view != NULL)
        gtk_tree_view_set_model(pane->view, NULL);
    pane->view = NULL;
    g_clear_pointer(&pane->list, hpmviz_metriclist_free);
    g_clear_object(&pane->rows);
    g_clear_object(&pane->session);
    G_OBJECT_CLASS(hpmviz_metricspane_parent_class)->dispose(object);
}

static void
hpmviz_metricspane_class_init(HpmvizMetricspaneClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    opened = g_signal_new("opened", HPMVIZ_TYPE_METRICSPANE, G_SIGNAL_RUN_LAST,
                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/metricspane.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMetricspane,
                                         worst_label);
    gtk_widget_class_bind_template_child(widget, HpmvizMetricspane, view);
    gtk_widget_class_bind_template_callback(widget, on_activated);
    gtk_widget_class_bind_template_callback(widget, on_button);
}

static void
hpmviz_metricspane_init(HpmvizMetricspane *pane)
{
    gtk_widget_init_template(GTK_WIDGET(pane));
    pane->rows = hpmviz_rowmodel_new();
    g_signal_connect(gtk_tree_view_get_selection(pane->view), "changed",
                     G_CALLBACK(on_selection), pane);
    gtk_widget_set_has_tooltip(GTK_WIDGET(pane->view), TRUE);
    g_signal_connect(pane->view, "query-tooltip", G_CALLBACK(on_tooltip), pane);
}

GtkWidget *
hpmviz_metricspane_new(HpmvizSession *session)
{
    static const char *const signals[] = {"loaded", "surveyed", "viewed",
                                          "selected"};
    HpmvizMetricspane *pane = g_object_new(HPMVIZ_TYPE_METRICSPANE, NULL);

    pane->session = g_object_ref(session);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        g_signal_connect_object(session, signals[i], G_CALLBACK(show), pane,
                                G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "metric", G_CALLBACK(select_metric), pane,
                            G_CONNECT_SWAPPED);
    show(pane);
    return GTK_WIDGET(pane);
}
