/* SPDX-License-Identifier: BSD-3-Clause
 * The places with the largest and the smallest values. */
#include "hpmviz/places/extremeslist.h"

#include <glib/gi18n.h>

#include "hpmviz/data/details.h"
#include "hpmviz/widgets/safetext.h"

enum { EACH = 5 }; /* lines at either end of the order */

enum { ORDER, VALUE, TASK, THREAD, NODE, ROW, N_COLUMNS };

struct _HpmvizExtremeslist {
    GtkScrolledWindow parent_instance;
    GtkTreeView *view;
    gboolean is_updating;
};

G_DEFINE_TYPE(HpmvizExtremeslist, hpmviz_extremeslist, GTK_TYPE_SCROLLED_WINDOW)

static guint chosen;

/* ---- lines ------------------------------------------------------------ */

static char *
value_of(const struct hpmviz_distribution *distribution, guint row)
{
    struct hpm_string text = {0};

    hpmviz_details_add_text(
        distribution->sheet, distribution->column,
        hpmviz_sheet_value(distribution->sheet, row, distribution->column),
        &text);
    return hpmviz_safe_take(&text);
}

static void
add_line(GtkListStore *lines, const struct hpmviz_distribution *distribution,
         guint rank)
{
    guint row = distribution->rows[rank];
    const struct hpmviz_place *place = &distribution->sheet->places[row];
    const char *node = hpmviz_distribution_node(distribution, row);
    g_autofree char *value = value_of(distribution, row);
    g_autofree char *safe = hpmviz_safe_line(node != NULL ? node : _("n/a"));
    g_autofree char *order =
        g_strdup_printf(_("%u of %u"), rank + 1, distribution->n);
    g_autofree char *task = g_strdup_printf("%d", place->task);
    g_autofree char *thread = place->tid < 0
                                  ? g_strdup(_("process"))
                                  : g_strdup_printf("%d", place->tid);

    gtk_list_store_insert_with_values(lines, NULL, -1, ORDER, order, VALUE,
                                      value, TASK, task, THREAD, thread, NODE,
                                      safe, ROW, row, -1);
}

/* The largest first; all where there are few. */
static void
add_lines(GtkListStore *lines, const struct hpmviz_distribution *distribution)
{
    for (guint i = distribution->n; i-- > 0;) {
        if (i < EACH || i + EACH >= distribution->n)
            add_line(lines, distribution, i);
    }
}

void
hpmviz_extremeslist_set(HpmvizExtremeslist *list,
                        const struct hpmviz_distribution *distribution)
{
    g_autoptr(GtkListStore) lines = gtk_list_store_new(
        N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
        G_TYPE_STRING, G_TYPE_UINT);

    if (distribution != NULL)
        add_lines(lines, distribution);
    list->is_updating = TRUE;
    gtk_tree_view_set_model(list->view, GTK_TREE_MODEL(lines));
    list->is_updating = FALSE;
}

void
hpmviz_extremeslist_select(HpmvizExtremeslist *list, guint row)
{
    GtkTreeSelection *selection = gtk_tree_view_get_selection(list->view);
    GtkTreeModel *lines = gtk_tree_view_get_model(list->view);
    GtkTreeIter line;
    gboolean is_there =
        lines != NULL && gtk_tree_model_get_iter_first(lines, &line);

    list->is_updating = TRUE;
    gtk_tree_selection_unselect_all(selection);
    for (; is_there; is_there = gtk_tree_model_iter_next(lines, &line)) {
        guint here;

        gtk_tree_model_get(lines, &line, ROW, &here, -1);
        if (here == row)
            gtk_tree_selection_select_iter(selection, &line);
    }
    list->is_updating = FALSE;
}

static void
on_selection(HpmvizExtremeslist *list)
{
    GtkTreeModel *lines;
    GtkTreeIter line;
    guint row;

    if (list->is_updating ||
        !gtk_tree_selection_get_selected(
            gtk_tree_view_get_selection(list->view), &lines, &line))
        return;
    gtk_tree_model_get(lines, &line, ROW, &row, -1);
    g_signal_emit(list, chosen, 0, row);
}

/* ---- the object ------------------------------------------------------- */

static void
hpmviz_extremeslist_class_init(HpmvizExtremeslistClass *class)
{
    chosen = g_signal_new("chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST,
                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
add_column(GtkTreeView *view, const char *title, int column)
{
    GtkCellRenderer *cell = gtk_cell_renderer_text_new();
    GtkTreeViewColumn *shown = gtk_tree_view_column_new_with_attributes(
        title, cell, "text", column, NULL);

    g_object_set(cell, "xalign", column == NODE ? 0.0f : 1.0f, NULL);
    gtk_tree_view_column_set_alignment(shown, column == NODE ? 0.0f : 1.0f);
    gtk_tree_view_column_set_expand(shown, column == NODE);
    gtk_tree_view_append_column(view, shown);
}

static void
hpmviz_extremeslist_init(HpmvizExtremeslist *list)
{
    static const char *const titles[] = {N_("In the order"), N_("Value"),
                                         N_("Task"), N_("Thread"), N_("Node")};

    list->view = GTK_TREE_VIEW(gtk_tree_view_new());
    for (int i = ORDER; i <= NODE; i++)
        add_column(list->view, _(titles[i]), i);
    gtk_tree_view_set_enable_search(list->view, FALSE);
    atk_object_set_name(gtk_widget_get_accessible(GTK_WIDGET(list->view)),
                        _("largest and smallest values"));
    g_signal_connect_swapped(gtk_tree_view_get_selection(list->view), "changed",
                             G_CALLBACK(on_selection), list);
    gtk_container_add(GTK_CONTAINER(list), GTK_WIDGET(list->view));
    gtk_widget_show(GTK_WIDGET(list->view));
}

GtkWidget *
hpmviz_extremeslist_new(void)
{
    return g_object_new(HPMVIZ_TYPE_EXTREMESLIST, "visible", TRUE, NULL);
}
