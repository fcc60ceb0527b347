/* SPDX-License-Identifier: BSD-3-Clause
 * One of the linked trees. */
#include "hpmviz/trees/treepane.h"

#include <glib/gi18n.h>

#include "hpmviz/data/treeshare.h"
#include "hpmviz/data/treewalk.h"
#include "hpmviz/data/treewords.h"
#include "hpmviz/trees/swatch.h"
#include "hpmviz/widgets/rowmodel.h"
#include "hpmviz/widgets/tablecolumn.h"

enum { NAME, SWATCH, VALUE };

/* In pixels; names take what is left. */
enum { SWATCH_WIDTH = 24, LEAST_NAME_WIDTH = 60 };

struct _HpmvizTreepane {
    GtkBox parent_instance;
    enum hpmviz_tree tree;
    const struct hpmviz_trees *trees; /* or NULL */
    GtkWidget *entry;
    GtkTreeView *view;
    HpmvizRowmodel *rows;
    GArray *open; /* nodes that were open in the tree before, or NULL */
    gboolean is_updating;
};

G_DEFINE_TYPE(HpmvizTreepane, hpmviz_treepane, GTK_TYPE_BOX)

static guint chosen;

static const char *const titles[HPMVIZ_N_TREES] = {
    N_("Metric"), N_("Call path"), N_("System")};
static const char *const names[HPMVIZ_N_TREES] = {
    N_("metric tree"), N_("call tree"), N_("system tree")};
static const char *const entries[HPMVIZ_N_TREES] = {
    N_("find a metric"), N_("find a call path"), N_("find in the system")};

/* ---- nodes ----------------------------------------------------------- */

static gboolean
is_open(const HpmvizTreepane *pane, GtkTreeIter *iter)
{
    GtkTreeModel *model = GTK_TREE_MODEL(pane->rows);
    g_autoptr(GtkTreePath) path = gtk_tree_model_get_path(model, iter);

    return gtk_tree_view_row_expanded(pane->view, path);
}

struct hpmviz_treechoice
hpmviz_treepane_choice(HpmvizTreepane *pane)
{
    struct hpmviz_treechoice choice = {HPMVIZ_NO_NODE, FALSE};
    GtkTreeIter iter;

    if (gtk_tree_selection_get_selected(gtk_tree_view_get_selection(pane->view),
                                        NULL, &iter)) {
        choice.node = hpmviz_rowmodel_get(pane->rows, &iter);
        choice.is_open = is_open(pane, &iter);
    }
    return choice;
}

/* ---- cells ----------------------------------------------------------- */

static void
show_name(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const HpmvizTreepane *pane = data;
    struct hpm_string text = {0};

    (void)column;
    hpmviz_trees_add_label(pane->trees, pane->tree,
                           hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter),
                           &text);
    g_object_set(renderer, "text", hpm_string_text(&text), NULL);
    hpm_string_free(&text);
}

static void
show_value(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
           GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const HpmvizTreepane *pane = data;
    guint node = hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter);
    gboolean is_own = is_open(pane, iter);
    struct hpmviz_treevalue value =
        hpmviz_trees_value(pane->trees, pane->tree, node, is_own);
    struct hpm_string text = {0};

    (void)column;
    hpmviz_treeshare_add_text(pane->trees, pane->tree, node, is_own, &text);
    hpmviz_cell_set_verdict(HPMVIZ_CELL(renderer), GTK_WIDGET(pane),
                            pane->trees->palette, value.verdict,
                            hpm_string_text(&text));
    hpm_string_free(&text);
}

static void
show_colour(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
            GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const HpmvizTreepane *pane = data;
    double heat = hpmviz_treeshare_heat(
        pane->trees, pane->tree,
        hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter), is_open(pane, iter));

    (void)column;
    hpmviz_swatch_set(
        HPMVIZ_SWATCH(renderer),
        hpmviz_treeshare_colour(heat, hpmviz_cell_is_dark(GTK_WIDGET(pane))));
}

/* ---- what is shown --------------------------------------------------- */

static void
add_open(GtkTreeView *view, GtkTreePath *path, gpointer nodes)
{
    GtkTreeModel *model = gtk_tree_view_get_model(view);
    GtkTreeIter iter;
    guint node;

    gtk_tree_model_get_iter(model, &iter, path);
    node = hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), &iter);
    g_array_append_val(nodes, node);
}

/* The nodes whose rows are open. */
static GArray *
list_open(HpmvizTreepane *pane)
{
    GArray *nodes = g_array_new(FALSE, FALSE, sizeof(guint));

    gtk_tree_view_map_expanded_rows(pane->view, add_open, nodes);
    return nodes;
}

/* Each is looked for among all. */
enum { MOST_OPENED = 300 };

static void
open_again(HpmvizTreepane *pane, const GArray *nodes)
{
    GtkTreeIter iter;

    for (guint i = 0; i < nodes->len; i++) {
        g_autoptr(GtkTreePath) path = NULL;

        if (!hpmviz_rowmodel_find(pane->rows, g_array_index(nodes, guint, i),
                                  &iter))
            continue;
        path = gtk_tree_model_get_path(GTK_TREE_MODEL(pane->rows), &iter);
        gtk_tree_view_expand_row(pane->view, path, FALSE);
    }
}

/* Metrics may be other ones although there are as many. */
static gboolean
is_same_shape(const HpmvizTreepane *pane, guint n)
{
    return pane->tree != HPMVIZ_TREE_METRICS &&
           n == hpmviz_rowmodel_n_rows(pane->rows);
}

static void
show_nodes(HpmvizTreepane *pane)
{
    g_autofree guint *parents = NULL;
    guint n = hpmviz_trees_shape(pane->trees, pane->tree, &parents);
    g_autofree guint *rows = g_new(guint, (gsize)n + 1);
    gboolean is_same = is_same_shape(pane, n);

    for (guint i = 0; i < n; i++)
        rows[i] = i;
    hpmviz_rowmodel_set(pane->rows, rows, parents, n);
    gtk_tree_view_set_model(pane->view, GTK_TREE_MODEL(pane->rows));
    if (is_same && pane->open != NULL && pane->open->len <= MOST_OPENED)
        open_again(pane, pane->open);
}

/* Rows that were open stay so where the tree is the same, as when metrics come. */
void
hpmviz_treepane_set(HpmvizTreepane *pane, const struct hpmviz_trees *trees)
{
    pane->is_updating = TRUE;
    if (pane->trees != NULL) {
        g_clear_pointer(&pane->open, g_array_unref);
        pane->open = list_open(pane);
    }
    gtk_tree_view_set_model(pane->view, NULL);
    pane->trees = trees;
    if (trees != NULL)
        show_nodes(pane);
    pane->is_updating = FALSE;
}

/* The row below this one, whether beside it or inside. */
static gboolean
next_row(const HpmvizTreepane *pane, GtkTreeIter *iter)
{
    GtkTreeModel *model = GTK_TREE_MODEL(pane->rows);
    GtkTreeIter at = *iter, parent;

    if (is_open(pane, &at))
        return gtk_tree_model_iter_children(model, iter, &at);
    while (!gtk_tree_model_iter_next(model, iter)) {
        if (!gtk_tree_model_iter_parent(model, &parent, &at))
            return FALSE;
        *iter = at = parent;
    }
    return TRUE;
}

/* So many rows tell how wide values are. */
enum { MOST_MEASURED = 300, MOST_DIGITS = 24 };

/* Names have what values leave.  An open node's value may have more digits than a
 * closed one's by its sign. */
static void
fit_values(HpmvizTreepane *pane)
{
    g_autofree guint *parents = NULL;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    guint n = hpmviz_trees_shape(pane->trees, pane->tree, &parents);

    for (guint i = 0; i < MIN(n, MOST_MEASURED); i++) {
        struct hpm_string text = {0};

        hpmviz_treeshare_add_text(pane->trees, pane->tree, i, FALSE, &text);
        g_ptr_array_add(texts, g_strdup(hpm_string_text(&text)));
        hpm_string_free(&text);
    }
    g_ptr_array_add(texts, NULL);
    hpmviz_tablecolumn_fit(gtk_tree_view_get_column(pane->view, VALUE),
                           GTK_WIDGET(pane->view),
                           (const char *const *)texts->pdata, MOST_DIGITS);
    gtk_tree_view_column_queue_resize(
        gtk_tree_view_get_column(pane->view, NAME));
    gtk_widget_queue_resize(GTK_WIDGET(pane->view));
}

/* Screen readers keep the texts of cells until the model says that a row changed.
 * Of more rows nobody listens to all. */
enum { MOST_TOLD = 2000 };

void
hpmviz_treepane_redraw(HpmvizTreepane *pane)
{
    GtkTreeModel *model = gtk_tree_view_get_model(pane->view);
    GtkTreeIter iter;
    gboolean is_there =
        model != NULL && gtk_tree_model_get_iter_first(model, &iter);

    for (guint i = 0; is_there && i < MOST_TOLD; i++) {
        g_autoptr(GtkTreePath) path = gtk_tree_model_get_path(model, &iter);

        gtk_tree_model_row_changed(model, path, &iter);
        is_there = next_row(pane, &iter);
    }
    if (model != NULL)
        fit_values(pane);
    gtk_widget_queue_draw(GTK_WIDGET(pane->view));
}

/* Open all above a node, and close the node itself. */
static void
go_to(HpmvizTreepane *pane, GtkTreeIter *iter)
{
    g_autoptr(GtkTreePath) path =
        gtk_tree_model_get_path(GTK_TREE_MODEL(pane->rows), iter);

    gtk_tree_view_expand_to_path(pane->view, path);
    gtk_tree_view_collapse_row(pane->view, path);
    gtk_tree_view_set_cursor(pane->view, path, NULL, FALSE);
}

void
hpmviz_treepane_select(HpmvizTreepane *pane, guint node)
{
    GtkTreeSelection *selection = gtk_tree_view_get_selection(pane->view);
    GtkTreeIter iter;

    pane->is_updating = TRUE;
    if (pane->trees == NULL || node == HPMVIZ_NO_NODE ||
        !hpmviz_rowmodel_find(pane->rows, node, &iter))
        gtk_tree_selection_unselect_all(selection);
    else if (!gtk_tree_selection_iter_is_selected(selection, &iter))
        go_to(pane, &iter);
    pane->is_updating = FALSE;
}

void
hpmviz_treepane_focus(HpmvizTreepane *pane)
{
    gtk_widget_grab_focus(GTK_WIDGET(pane->view));
}

/* ---- what the user does ---------------------------------------------- */

static void
on_selection(HpmvizTreepane *pane)
{
    if (!pane->is_updating && pane->trees != NULL)
        g_signal_emit(pane, chosen, 0);
}

/* As if the user had selected it. */
static void
choose(HpmvizTreepane *pane, guint node)
{
    hpmviz_treepane_select(pane, node);
    on_selection(pane);
}

void
hpmviz_treepane_open_hottest(HpmvizTreepane *pane)
{
    struct hpmviz_treechoice choice = hpmviz_treepane_choice(pane);
    g_autoptr(GArray) way = NULL;
    GtkTreeIter iter;

    if (pane->trees == NULL)
        return;
    if (choice.is_open || choice.node == HPMVIZ_NO_NODE ||
        !hpmviz_rowmodel_find(pane->rows, choice.node, &iter) ||
        !gtk_tree_model_iter_has_child(GTK_TREE_MODEL(pane->rows), &iter))
        choice.node = HPMVIZ_NO_NODE;
    way = hpmviz_treewalk_hottest(pane->trees, pane->tree, choice.node);
    if (way->len > 0)
        choose(pane, g_array_index(way, guint, way->len - 1));
}

/* ---- finding --------------------------------------------------------- */

static void
find(HpmvizTreepane *pane, guint from)
{
    const char *letters = gtk_entry_get_text(GTK_ENTRY(pane->entry));
    GtkStyleContext *context = gtk_widget_get_style_context(pane->entry);
    guint node = HPMVIZ_NO_NODE;

    if (pane->trees != NULL)
        node = hpmviz_treewalk_find(pane->trees, pane->tree, from, letters);
    if (node != HPMVIZ_NO_NODE)
        choose(pane, node);
    if (node != HPMVIZ_NO_NODE || *letters == '\0')
        gtk_style_context_remove_class(context, GTK_STYLE_CLASS_ERROR);
    else
        gtk_style_context_add_class(context, GTK_STYLE_CLASS_ERROR);
    atk_object_set_description(
        gtk_widget_get_accessible(pane->entry),
        node == HPMVIZ_NO_NODE && *letters != '\0' ? _("not found") : "");
}

static void
on_search(HpmvizTreepane *pane)
{
    find(pane, HPMVIZ_NO_NODE);
}

static void
on_search_next(HpmvizTreepane *pane)
{
    find(pane, hpmviz_treepane_choice(pane).node);
}

void
hpmviz_treepane_find(HpmvizTreepane *pane)
{
    gtk_widget_grab_focus(pane->entry);
}

gboolean
hpmviz_treepane_has_focus(HpmvizTreepane *pane)
{
    return gtk_container_get_focus_child(GTK_CONTAINER(pane)) != NULL;
}

/* Its value changed; if it is selected, also what depends on it. */
static void
on_opened(HpmvizTreepane *pane, GtkTreeIter *iter, GtkTreePath *path)
{
    gtk_tree_model_row_changed(GTK_TREE_MODEL(pane->rows), path, iter);
    if (gtk_tree_selection_iter_is_selected(
            gtk_tree_view_get_selection(pane->view), iter))
        on_selection(pane);
}

/* As in other trees: Right opens a row, or goes into it; Left closes it, or goes to
 * the row above it. */
static gboolean
on_key(HpmvizTreepane *pane, const GdkEventKey *event)
{
    g_autoptr(GtkTreePath) path = NULL;

    gtk_tree_view_get_cursor(pane->view, &path, NULL);
    if (path == NULL || (event->state & gtk_accelerator_get_default_mod_mask()))
        return FALSE;
    if (event->keyval == GDK_KEY_Right) {
        if (gtk_tree_view_row_expanded(pane->view, path)) {
            gtk_tree_path_down(path);
            gtk_tree_view_set_cursor(pane->view, path, NULL, FALSE);
        } else {
            gtk_tree_view_expand_row(pane->view, path, FALSE);
        }
        return TRUE;
    }
    if (event->keyval != GDK_KEY_Left)
        return FALSE;
    if (!gtk_tree_view_collapse_row(pane->view, path) &&
        gtk_tree_path_get_depth(path) > 1) {
        gtk_tree_path_up(path);
        gtk_tree_view_set_cursor(pane->view, path, NULL, FALSE);
    }
    return TRUE;
}

static gboolean
on_tooltip(HpmvizTreepane *pane, int x, int y, gboolean is_keyboard,
           GtkTooltip *tooltip)
{
    struct hpm_string text = {0};
    GtkTreeModel *model;
    GtkTreePath *path;
    GtkTreeIter iter;

    if (pane->trees == NULL ||
        !gtk_tree_view_get_tooltip_context(pane->view, &x, &y, is_keyboard,
                                           &model, &path, &iter))
        return FALSE;
    hpmviz_treewords_add_way(pane->trees, pane->tree,
                             hpmviz_rowmodel_get(pane->rows, &iter), &text);
    gtk_tooltip_set_text(tooltip, hpm_string_text(&text));
    gtk_tree_view_set_tooltip_row(pane->view, tooltip, path);
    hpm_string_free(&text);
    gtk_tree_path_free(path);
    return TRUE;
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizTreepane *pane = HPMVIZ_TREEPANE(object);

    pane->is_updating = TRUE;
    if (pane->view != NULL)
        gtk_tree_view_set_model(pane->view, NULL);
    pane->view = NULL;
    g_clear_object(&pane->rows);
    g_clear_pointer(&pane->open, g_array_unref);
    G_OBJECT_CLASS(hpmviz_treepane_parent_class)->dispose(object);
}

static void
hpmviz_treepane_class_init(HpmvizTreepaneClass *class)
{
    G_OBJECT_CLASS(class)->dispose = dispose;
    chosen = g_signal_new("chosen", HPMVIZ_TYPE_TREEPANE, G_SIGNAL_RUN_LAST, 0,
                          NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* In a column of its own, so that screen readers find one text in a cell. */
static void
add_swatch(HpmvizTreepane *pane)
{
    GtkTreeViewColumn *column = gtk_tree_view_column_new();
    GtkCellRenderer *swatch = hpmviz_swatch_new();

    gtk_tree_view_column_pack_start(column, swatch, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, swatch, show_colour, pane,
                                            NULL);
    gtk_tree_view_column_set_sizing(column, GTK_TREE_VIEW_COLUMN_FIXED);
    gtk_tree_view_column_set_fixed_width(column, SWATCH_WIDTH);
    gtk_tree_view_append_column(pane->view, column);
}

static void
add_column(HpmvizTreepane *pane, guint i, const char *title,
           GtkTreeCellDataFunc show)
{
    GtkTreeViewColumn *column =
        hpmviz_tablecolumn_new(i, title, NULL, NULL, i == NAME ? 0.0f : 1.0f);

    gtk_tree_view_column_set_clickable(column, FALSE);
    gtk_tree_view_column_set_expand(column, i == NAME);
    gtk_tree_view_column_set_cell_data_func(
        column, GTK_CELL_RENDERER(hpmviz_tablecolumn_cell(column)), show, pane,
        NULL);
    gtk_tree_view_append_column(pane->view, column);
    if (i != NAME)
        return;
    gtk_tree_view_column_set_fixed_width(column, LEAST_NAME_WIDTH);
    gtk_tree_view_set_expander_column(pane->view, column);
}

static void
hpmviz_treepane_init(HpmvizTreepane *pane)
{
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);

    gtk_orientable_set_orientation(GTK_ORIENTABLE(pane),
                                   GTK_ORIENTATION_VERTICAL);
    pane->rows = hpmviz_rowmodel_new();
    pane->view = GTK_TREE_VIEW(gtk_tree_view_new());
    gtk_tree_view_set_enable_search(pane->view, FALSE);
    pane->entry = gtk_search_entry_new();
    gtk_box_pack_start(GTK_BOX(pane), pane->entry, FALSE, FALSE, 0);
    g_signal_connect_swapped(pane->entry, "search-changed",
                             G_CALLBACK(on_search), pane);
    g_signal_connect_swapped(pane->entry, "activate",
                             G_CALLBACK(on_search_next), pane);
    gtk_container_add(GTK_CONTAINER(scroller), GTK_WIDGET(pane->view));
    gtk_box_pack_end(GTK_BOX(pane), scroller, TRUE, TRUE, 0);
    g_signal_connect_swapped(gtk_tree_view_get_selection(pane->view), "changed",
                             G_CALLBACK(on_selection), pane);
    gtk_widget_set_has_tooltip(GTK_WIDGET(pane->view), TRUE);
    g_signal_connect_swapped(pane->view, "key-press-event", G_CALLBACK(on_key),
                             pane);
    g_signal_connect_swapped(pane->view, "query-tooltip",
                             G_CALLBACK(on_tooltip), pane);
    g_signal_connect_swapped(pane->view, "row-expanded", G_CALLBACK(on_opened),
                             pane);
    g_signal_connect_swapped(pane->view, "row-collapsed", G_CALLBACK(on_opened),
                             pane);
}

GtkWidget *
hpmviz_treepane_new(enum hpmviz_tree tree)
{
    HpmvizTreepane *pane = g_object_new(HPMVIZ_TYPE_TREEPANE, NULL);

    pane->tree = tree;
    add_column(pane, NAME, _(titles[tree]), show_name);
    add_swatch(pane);
    add_column(pane, VALUE, _("Value"), show_value);
    gtk_tree_view_set_fixed_height_mode(pane->view, TRUE);
    atk_object_set_name(gtk_widget_get_accessible(GTK_WIDGET(pane->view)),
                        _(names[tree]));
    atk_object_set_name(gtk_widget_get_accessible(pane->entry),
                        _(entries[tree]));
    gtk_entry_set_placeholder_text(GTK_ENTRY(pane->entry), _(entries[tree]));
    gtk_widget_show_all(GTK_WIDGET(pane));
    return GTK_WIDGET(pane);
}
