/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of a section beside its values, as a tree. */
#include "hpmviz/metrics/metricsinfo.h"

#include "hpmviz/data/facts.h"
#include "hpmviz/widgets/rowmodel.h"
#include "hpmviz/widgets/safetext.h"

struct _HpmvizMetricsinfo {
    GtkScrolledWindow parent_instance;
    GtkTreeView *view;
    HpmvizRowmodel *rows;
    GPtrArray *facts; /* or NULL */
};

G_DEFINE_TYPE(HpmvizMetricsinfo, hpmviz_metricsinfo, GTK_TYPE_SCROLLED_WINDOW)

static const struct hpmviz_fact *
fact_at(const HpmvizMetricsinfo *info, GtkTreeIter *iter)
{
    return info->facts->pdata[hpmviz_rowmodel_get(info->rows, iter)];
}

static void
show_cell(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const HpmvizMetricsinfo *info = data;
    const struct hpmviz_fact *fact = fact_at(info, iter);
    gboolean is_name = column == gtk_tree_view_get_column(info->view, 0);
    char *text;

    (void)model;
    text = hpmviz_safe_line(is_name ? fact->name : fact->value);
    g_object_set(renderer, "text", text, "weight",
                 is_name && fact->parent == HPMVIZ_NONE ? PANGO_WEIGHT_BOLD
                                                        : PANGO_WEIGHT_NORMAL,
                 NULL);
    g_free(text);
}

static void
add_column(HpmvizMetricsinfo *info)
{
    GtkTreeViewColumn *column = gtk_tree_view_column_new();
    GtkCellRenderer *cell = gtk_cell_renderer_text_new();

    gtk_tree_view_column_pack_start(column, cell, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, cell, show_cell, info,
                                            NULL);
    gtk_tree_view_append_column(info->view, column);
}

/* What the section is and where it was counted is seen at once; what each
 * metric is, when it is opened. */
static void
expand(HpmvizMetricsinfo *info)
{
    GtkTreeModel *model = GTK_TREE_MODEL(info->rows);
    GtkTreeIter iter;
    gboolean is_there = gtk_tree_model_get_iter_first(model, &iter);

    for (; is_there; is_there = gtk_tree_model_iter_next(model, &iter)) {
        GtkTreePath *path = gtk_tree_model_get_path(model, &iter);

        gtk_tree_view_expand_row(info->view, path, FALSE);
        gtk_tree_path_free(path);
    }
}

void
hpmviz_metricsinfo_set_sheet(HpmvizMetricsinfo *info,
                             const struct hpmviz_sheet *sheet)
{
    guint *rows, *parents;

    gtk_tree_view_set_model(info->view, NULL);
    g_clear_pointer(&info->facts, g_ptr_array_unref);
    if (sheet == NULL)
        return;
    info->facts = hpmviz_facts_new(sheet);
    rows = g_new(guint, info->facts->len + 1);
    parents = g_new(guint, info->facts->len + 1);
    for (guint i = 0; i < info->facts->len; i++) {
        rows[i] = i;
        parents[i] = ((struct hpmviz_fact *)info->facts->pdata[i])->parent;
    }
    hpmviz_rowmodel_set(info->rows, rows, parents, info->facts->len);
    g_free(rows);
    g_free(parents);
    gtk_tree_view_set_model(info->view, GTK_TREE_MODEL(info->rows));
    expand(info);
}

/* ---- out of it ------------------------------------------------------- */

static void
add_fact(GString *text, const struct hpmviz_fact *fact)
{
    g_string_append_printf(text, "%s\t%s\n", fact->name, fact->value);
}

static void
add_selected(GtkTreeModel *model, GtkTreePath *path, GtkTreeIter *iter,
             gpointer data)
{
    gpointer *both = data;

    (void)model;
    (void)path;
    add_fact(both[0], fact_at(both[1], iter));
}

char *
hpmviz_metricsinfo_get_text(HpmvizMetricsinfo *info)
{
    GString *text = g_string_new(NULL);
    gpointer both[] = {text, info};

    if (info->facts != NULL)
        gtk_tree_selection_selected_foreach(
            gtk_tree_view_get_selection(info->view), add_selected, both);
    for (guint i = 0;
         text->len == 0 && info->facts != NULL && i < info->facts->len; i++)
        add_fact(text, info->facts->pdata[i]);
    return g_string_free(text, FALSE);
}

/* ---- the object ------------------------------------------------------ */

static void
finalize(GObject *object)
{
    HpmvizMetricsinfo *info = HPMVIZ_METRICSINFO(object);

    g_object_unref(info->rows);
    g_clear_pointer(&info->facts, g_ptr_array_unref);
    G_OBJECT_CLASS(hpmviz_metricsinfo_parent_class)->finalize(object);
}

static void
hpmviz_metricsinfo_class_init(HpmvizMetricsinfoClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->finalize = finalize;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/metricsinfo.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMetricsinfo, view);
}

static void
hpmviz_metricsinfo_init(HpmvizMetricsinfo *info)
{
    gtk_widget_init_template(GTK_WIDGET(info));
    info->rows = hpmviz_rowmodel_new();
    add_column(info); /* names */
    add_column(info); /* values */
    gtk_tree_selection_set_mode(gtk_tree_view_get_selection(info->view),
                                GTK_SELECTION_MULTIPLE);
}

GtkWidget *
hpmviz_metricsinfo_new(void)
{
    return g_object_new(HPMVIZ_TYPE_METRICSINFO, NULL);
}
