/* SPDX-License-Identifier: BSD-3-Clause
 * Tooltips of rows.  GTK's own (gtk_tree_view_set_tooltip_column) take a text for
 * markup, which names of C++ functions are not. */
#include "hpmviz/widgets/rowtip.h"

static const char second_key[] = "hpmviz-rowtip-second";

static gboolean
on_tooltip(GtkTreeView *view, int x, int y, gboolean is_by_keyboard,
           GtkTooltip *tooltip, gpointer first)
{
    int second = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(view), second_key));
    GtkTreeModel *rows;
    GtkTreePath *path;
    GtkTreeIter row;
    char *name, *below = NULL, *text;

    if (!gtk_tree_view_get_tooltip_context(view, &x, &y, is_by_keyboard, &rows,
                                           &path, &row))
        return FALSE;
    gtk_tree_model_get(rows, &row, GPOINTER_TO_INT(first), &name, -1);
    if (second >= 0)
        gtk_tree_model_get(rows, &row, second, &below, -1);
    text = g_strjoin("\n", name, below, NULL);
    gtk_tooltip_set_text(tooltip, text);
    gtk_tree_view_set_tooltip_row(view, tooltip, path);
    gtk_tree_path_free(path);
    g_free(name);
    g_free(below);
    g_free(text);
    return TRUE;
}

void
hpmviz_rowtip_show(GtkTreeView *view, int first, int second)
{
    g_object_set_data(G_OBJECT(view), second_key, GINT_TO_POINTER(second));
    gtk_widget_set_has_tooltip(GTK_WIDGET(view), TRUE);
    g_signal_connect(view, "query-tooltip", G_CALLBACK(on_tooltip),
                     GINT_TO_POINTER(first));
}
