/* SPDX-License-Identifier: BSD-3-Clause
 * A column of a table of numbers. */
#include "hpmviz/widgets/tablecolumn.h"

static const char index_key[] = "hpmviz-index";

/* Both lines are there also without a unit, so that headings are equally
 * high. */
static GtkWidget *
new_heading(const char *title, const char *unit, const char *tooltip,
            float xalign)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *name = gtk_label_new(title), *below = gtk_label_new(unit);

    gtk_label_set_xalign(GTK_LABEL(name), xalign);
    gtk_label_set_xalign(GTK_LABEL(below), xalign);
    gtk_style_context_add_class(gtk_widget_get_style_context(below),
                                GTK_STYLE_CLASS_DIM_LABEL);
    gtk_container_add(GTK_CONTAINER(box), name);
    gtk_container_add(GTK_CONTAINER(box), below);
    gtk_widget_set_tooltip_text(box, tooltip);
    gtk_widget_show_all(box);
    return box;
}

GtkTreeViewColumn *
hpmviz_tablecolumn_new(guint index, const char *title, const char *unit,
                       const char *tooltip, float xalign)
{
    GtkTreeViewColumn *column = gtk_tree_view_column_new();
    GtkCellRenderer *cell = hpmviz_cell_new();

    gtk_tree_view_column_set_widget(column,
                                    new_heading(title, unit, tooltip, xalign));
    gtk_tree_view_column_set_title(column, title);
    g_object_set(cell, "xalign", xalign, "ellipsize",
                 xalign < 0.5f ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE,
                 NULL);
    gtk_tree_view_column_pack_start(column, cell, TRUE);
    gtk_tree_view_column_set_sizing(column, GTK_TREE_VIEW_COLUMN_FIXED);
    gtk_tree_view_column_set_resizable(column, TRUE);
    gtk_tree_view_column_set_clickable(column, TRUE);
    gtk_tree_view_column_set_alignment(column, xalign);
    g_object_set_data(G_OBJECT(column), index_key, GUINT_TO_POINTER(index));
    return column;
}

guint
hpmviz_tablecolumn_index(GtkTreeViewColumn *column)
{
    return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(column), index_key));
}

HpmvizCell *
hpmviz_tablecolumn_cell(GtkTreeViewColumn *column)
{
    GList *cells = gtk_cell_layout_get_cells(GTK_CELL_LAYOUT(column));
    HpmvizCell *cell = cells->data;

    g_list_free(cells);
    return cell;
}

/* ---- sizes ----------------------------------------------------------- */

static int
text_width(PangoLayout *layout, const char *text)
{
    int width;

    pango_layout_set_text(layout, text, -1);
    pango_layout_get_pixel_size(layout, &width, NULL);
    return width;
}

/* Most are numbers, and digits are of one width: to measure all of them takes
 * longer than it is worth. */
static const char *
longest(const char *const *texts)
{
    const char *found = *texts;

    for (; *texts != NULL; texts++) {
        if (g_utf8_strlen(*texts, -1) > g_utf8_strlen(found, -1))
            found = *texts;
    }
    return found;
}

void
hpmviz_tablecolumn_fit(GtkTreeViewColumn *column, GtkWidget *widget,
                       const char *const *texts, int most_digits)
{
    PangoLayout *layout = gtk_widget_create_pango_layout(widget, NULL);
    int digit = text_width(layout, "0"), width = 0, heading, xpad;

    if (*texts != NULL)
        width = text_width(layout, longest(texts));
    /* the arrow of the order, the button's own borders */
    gtk_widget_get_preferred_width(gtk_tree_view_column_get_widget(column),
                                   NULL, &heading);
    width = MAX(MIN(width, most_digits * digit), heading + 3 * digit);
    g_object_get(hpmviz_tablecolumn_cell(column), "xpad", &xpad, NULL);
    gtk_tree_view_column_set_fixed_width(column, width + 2 * xpad + 2 * digit);
    g_object_unref(layout);
}

void
hpmviz_tablecolumn_set_heights(GtkTreeView *view)
{
    PangoLayout *layout =
        gtk_widget_create_pango_layout(GTK_WIDGET(view), "0✗✓~…");
    GtkTreeViewColumn *column;
    int height, ypad;

    pango_layout_get_pixel_size(layout, NULL, &height);
    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++) {
        HpmvizCell *cell = hpmviz_tablecolumn_cell(column);

        g_object_get(cell, "ypad", &ypad, NULL);
        g_object_set(cell, "height", height + 2 * ypad, NULL);
    }
    g_object_unref(layout);
}

/* ---- order ----------------------------------------------------------- */

void
hpmviz_tablecolumn_show_order(GtkTreeView *view, const GtkTreeViewColumn *by,
                              gboolean is_rising)
{
    GtkTreeViewColumn *column;

    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++) {
        gtk_tree_view_column_set_sort_indicator(column, column == by);
        gtk_tree_view_column_set_sort_order(
            column, is_rising ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
    }
}
