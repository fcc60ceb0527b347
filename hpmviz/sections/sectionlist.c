/* SPDX-License-Identifier: BSD-3-Clause
 * The rows of the list of sections. */
#include "hpmviz/sections/sectionlist.h"

struct hpmviz_sectionlist {
    GtkTreeView *view;
    HpmvizSession *session;
    HpmvizRowmodel *model;
    struct hpmviz_sectioncolumns *columns;
    struct hpmviz_section_order order;
    gboolean is_updating; /* what GTK tells is our own doing */
};

/* ---- order ----------------------------------------------------------- */

static const char sort_key[] = "sort";

/* As it is remembered, with the columns that there are now. */
static void
take_order(struct hpmviz_sectionlist *list)
{
    g_auto(GStrv) names = hpmviz_preferences_get_strings(
        hpmviz_session_preferences(list->session),
        hpmviz_sectioncolumns_group(list->columns), sort_key);

    list->order = hpmviz_section_order_of_names(list->session, names);
}

static void
keep_order(const struct hpmviz_sectionlist *list)
{
    g_auto(GStrv) names =
        hpmviz_section_order_get_names(list->session, &list->order);

    hpmviz_preferences_set_strings(hpmviz_session_preferences(list->session),
                                   hpmviz_sectioncolumns_group(list->columns),
                                   sort_key, (const char *const *)names);
}

static void
sort(struct hpmviz_sectionlist *list)
{
    hpmviz_section_sort(list->session, list->model, &list->order);
    hpmviz_sectioncolumns_show_order(list->columns, &list->order);
}

static void
on_heading(gpointer data, guint column)
{
    struct hpmviz_sectionlist *list = data;

    if (hpmviz_session_survey(list->session) == NULL)
        return;
    hpmviz_section_order_turn(&list->order, column);
    keep_order(list);
    sort(list);
    hpmviz_sectionlist_show_selection(list);
}

/* ---- columns --------------------------------------------------------- */

gboolean
hpmviz_sectionlist_list(struct hpmviz_sectionlist *list)
{
    gboolean are_others;

    list->is_updating = TRUE;
    are_others = hpmviz_sectioncolumns_list(list->columns);
    list->is_updating = FALSE;
    take_order(list);
    return are_others;
}

static gboolean
is_of_metrics(guint column)
{
    return column == HPMVIZ_SECTION_BAD || HPMVIZ_SECTION_IS_METRIC(column);
}

/* The view gets its rows back at once: a filter that is not finished leaves
 * those there were. */
gboolean
hpmviz_sectionlist_renew(struct hpmviz_sectionlist *list)
{
    gboolean are_others = hpmviz_sectionlist_list(list);

    if (are_others) {
        list->is_updating = TRUE;
        gtk_tree_view_set_model(list->view, GTK_TREE_MODEL(list->model));
        list->is_updating = FALSE;
    } else if (is_of_metrics(list->order.columns[0]) ||
               is_of_metrics(list->order.columns[1])) {
        sort(list);
    }
    gtk_widget_queue_draw(GTK_WIDGET(list->view));
    return are_others;
}

void
hpmviz_sectionlist_fit(struct hpmviz_sectionlist *list)
{
    hpmviz_sectioncolumns_fit(list->columns, list->model);
}

void
hpmviz_sectionlist_explain(struct hpmviz_sectionlist *list)
{
    hpmviz_sectioncolumns_explain(list->columns);
}

gboolean
hpmviz_sectionlist_has_metric(const struct hpmviz_sectionlist *list)
{
    return hpmviz_sectioncolumns_have_metric(list->columns);
}

/* ---- rows ------------------------------------------------------------ */

/* Parents first, as the survey has them. */
static void
fill(struct hpmviz_sectionlist *list, const gboolean *is_shown)
{
    const struct hpm_survey *survey = hpmviz_session_survey(list->session);
    gboolean is_tree = hpmviz_session_view(list->session)->is_tree;
    g_autofree guint *rows = g_new(guint, survey->n_subjects + 1);
    g_autofree guint *parents = g_new(guint, survey->n_subjects + 1);
    g_autofree guint *node_of = g_new(guint, survey->n_subjects + 1);
    guint n = 0;

    for (guint i = 0; i < survey->n_subjects; i++) {
        size_t parent = survey->subjects[i].parent;

        if (!is_shown[i])
            continue;
        node_of[i] = n;
        rows[n] = i;
        parents[n++] =
            parent != HPM_NO_SUBJECT ? node_of[parent] : HPMVIZ_NO_ROW;
    }
    hpmviz_rowmodel_set(list->model, rows, is_tree ? parents : NULL, n);
}

/* The view is without its model meanwhile: nothing is drawn row by row. */
void
hpmviz_sectionlist_set(struct hpmviz_sectionlist *list,
                       const gboolean *is_shown, const char *mark)
{
    hpmviz_sectioncolumns_mark(list->columns, mark);
    list->is_updating = TRUE;
    gtk_tree_view_set_model(list->view, NULL);
    fill(list, is_shown);
    sort(list);
    gtk_tree_view_set_model(list->view, GTK_TREE_MODEL(list->model));
    gtk_tree_view_expand_all(list->view);
    list->is_updating = FALSE;
}

guint
hpmviz_sectionlist_n_rows(const struct hpmviz_sectionlist *list)
{
    return hpmviz_rowmodel_n_rows(list->model);
}

/* ---- the selected one ------------------------------------------------ */

static gboolean
find_selected(const struct hpmviz_sectionlist *list, GtkTreeIter *ret_iter)
{
    size_t subject = hpmviz_session_selected(list->session);

    return subject != HPM_NO_SUBJECT &&
           hpmviz_rowmodel_find(list->model, (guint)subject, ret_iter);
}

gboolean
hpmviz_sectionlist_has_selection(const struct hpmviz_sectionlist *list)
{
    GtkTreeIter iter;

    return find_selected(list, &iter);
}

void
hpmviz_sectionlist_show_selection(struct hpmviz_sectionlist *list)
{
    GtkTreeIter iter;
    GtkTreePath *path;

    list->is_updating = TRUE;
    if (find_selected(list, &iter)) {
        path = gtk_tree_model_get_path(GTK_TREE_MODEL(list->model), &iter);
        gtk_tree_view_expand_to_path(list->view, path);
        gtk_tree_view_set_cursor(list->view, path, NULL, FALSE);
        gtk_tree_view_scroll_to_cell(list->view, path, NULL, FALSE, 0, 0);
        gtk_tree_path_free(path);
    } else {
        gtk_tree_selection_unselect_all(
            gtk_tree_view_get_selection(list->view));
    }
    list->is_updating = FALSE;
}

void
hpmviz_sectionlist_select_first(struct hpmviz_sectionlist *list)
{
    GtkTreeIter iter;

    if (gtk_tree_model_get_iter_first(GTK_TREE_MODEL(list->model), &iter))
        hpmviz_session_select(list->session,
                              hpmviz_rowmodel_get(list->model, &iter));
}

static void
on_selection(GtkTreeSelection *selection, gpointer data)
{
    struct hpmviz_sectionlist *list = data;
    GtkTreeModel *model;
    GtkTreeIter iter;

    if (!list->is_updating &&
        gtk_tree_selection_get_selected(selection, &model, &iter))
        hpmviz_session_select(list->session,
                              hpmviz_rowmodel_get(list->model, &iter));
}

void
hpmviz_sectionlist_add_selected(const struct hpmviz_sectionlist *list,
                                struct hpm_string *text)
{
    size_t row = hpmviz_session_selected(list->session);

    hpmviz_sectioncolumns_add_line(list->columns, HPM_NO_SUBJECT, text);
    hpmviz_sectioncolumns_add_line(list->columns, row, text);
}

/* ---- making it ------------------------------------------------------- */

struct hpmviz_sectionlist *
hpmviz_sectionlist_new(GtkTreeView *view, HpmvizSession *session)
{
    struct hpmviz_sectionlist *list = g_new0(struct hpmviz_sectionlist, 1);

    list->view = view;
    list->session = g_object_ref(session);
    list->model = hpmviz_rowmodel_new();
    list->columns = hpmviz_sectioncolumns_new(view, session);
    hpmviz_sectioncolumns_listen(list->columns, on_heading, list);
    hpmviz_sectioncolumns_fit(list->columns, list->model);
    g_signal_connect(gtk_tree_view_get_selection(view), "changed",
                     G_CALLBACK(on_selection), list);
    take_order(list);
    hpmviz_sectioncolumns_show_order(list->columns, &list->order);
    return list;
}

void
hpmviz_sectionlist_free(struct hpmviz_sectionlist *list)
{
    hpmviz_sectioncolumns_free(list->columns);
    g_object_unref(list->model);
    g_object_unref(list->session);
    g_free(list);
}
