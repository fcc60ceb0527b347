/* SPDX-License-Identifier: BSD-3-Clause
 * A table of a window, drawn as it stands there.  Texts and colours are asked of the
 * cells, as the window does, so paper has what the screen has. */
#include "hpmviz/shell/tableoutput.h"

#include <glib/gi18n.h>

#include "hpmviz/widgets/cell.h"

enum { MOST_ROWS = 1000 };

/* ---- columns --------------------------------------------------------- */

/* Columns here have one cell. */
static GtkCellRenderer *
cell_of(GtkTreeViewColumn *column)
{
    GList *cells = gtk_cell_layout_get_cells(GTK_CELL_LAYOUT(column));
    GtkCellRenderer *cell = cells != NULL ? cells->data : NULL;

    g_list_free(cells);
    return cell;
}

static gboolean
is_text(GtkTreeViewColumn *column)
{
    float xalign;

    gtk_cell_renderer_get_alignment(cell_of(column), &xalign, NULL);
    return xalign < 0.5f;
}

static void
add_columns(GtkTreeView *view, gboolean are_texts, GPtrArray *columns)
{
    GList *all = gtk_tree_view_get_columns(view);

    for (GList *at = all; at != NULL; at = at->next) {
        if (gtk_tree_view_column_get_visible(at->data) &&
            GTK_IS_CELL_RENDERER_TEXT(cell_of(at->data)) &&
            is_text(at->data) == are_texts)
            g_ptr_array_add(columns, at->data);
    }
    g_list_free(all);
}

/* The labels of a heading: its name, and below it the unit. */
static char *
heading_of(GtkTreeViewColumn *column)
{
    GtkWidget *widget = gtk_tree_view_column_get_widget(column);
    GList *labels = GTK_IS_CONTAINER(widget)
                        ? gtk_container_get_children(GTK_CONTAINER(widget))
                        : NULL;
    GString *text = g_string_new(NULL);

    for (GList *at = labels; at != NULL; at = at->next) {
        const char *words = GTK_IS_LABEL(at->data)
                                ? gtk_label_get_text(GTK_LABEL(at->data))
                                : "";

        if (*words != '\0')
            g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "",
                                   words);
    }
    g_list_free(labels);
    if (text->len == 0)
        g_string_append(text, gtk_tree_view_column_get_title(column));
    return g_string_free(text, FALSE);
}

/* ---- cells ----------------------------------------------------------- */

static const char *
name_of(const GdkRGBA *colour)
{
    g_autofree char *name =
        g_strdup_printf("#%02x%02x%02x", (unsigned)(colour->red * 255 + 0.5),
                        (unsigned)(colour->green * 255 + 0.5),
                        (unsigned)(colour->blue * 255 + 0.5));

    return g_intern_string(name);
}

static void
colour_cell(GtkCellRenderer *renderer, struct hpmviz_drawn_cell *cell)
{
    GdkRGBA background, *text = NULL;

    if (!HPMVIZ_IS_CELL(renderer) ||
        !hpmviz_cell_get_background(HPMVIZ_CELL(renderer), &background))
        return;
    g_object_get(renderer, "foreground-rgba", &text, NULL);
    cell->background = name_of(&background);
    if (text != NULL)
        cell->colour = name_of(text);
    gdk_rgba_free(text);
}

static void
add_cell(GtkTreeViewColumn *column, GtkTreeModel *model, GtkTreeIter *iter,
         struct hpmviz_drawn_table *table)
{
    GtkCellRenderer *renderer = cell_of(column);
    char *text = NULL;

    gtk_tree_view_column_cell_set_cell_data(column, model, iter, FALSE, FALSE);
    g_object_get(renderer, "text", &text, NULL);
    colour_cell(renderer, hpmviz_drawn_table_add(
                              table, text != NULL ? text : g_strdup("")));
}

/* Returns how many rows there are. */
static guint
add_rows(GtkTreeModel *model, const GPtrArray *columns,
         struct hpmviz_drawn_table *table)
{
    GtkTreeIter iter;
    guint n = 0;
    gboolean is_there =
        model != NULL && gtk_tree_model_get_iter_first(model, &iter);

    for (; is_there; is_there = gtk_tree_model_iter_next(model, &iter), n++) {
        for (guint i = 0; i < columns->len && n < MOST_ROWS; i++)
            add_cell(columns->pdata[i], model, &iter, table);
    }
    return n;
}

/* ---- all ------------------------------------------------------------- */

struct hpmviz_drawing *
hpmviz_tableoutput_draw(const char *heading, GtkTreeView *const *views,
                        guint n_views, gboolean is_dark)
{
    struct hpmviz_drawing *drawing = hpmviz_drawing_new(is_dark);
    g_autoptr(GPtrArray) columns = g_ptr_array_new();
    struct hpmviz_drawn_table *table;
    guint n_texts, n;

    for (guint i = 0; i < n_views; i++)
        add_columns(views[i], TRUE, columns);
    n_texts = columns->len;
    for (guint i = 0; i < n_views; i++)
        add_columns(views[i], FALSE, columns);
    hpmviz_drawing_add_text(drawing, HPMVIZ_HEADING, heading);
    table = hpmviz_drawn_table_new(columns->len, n_texts);
    for (guint i = 0; i < columns->len; i++)
        hpmviz_drawn_table_add(table, heading_of(columns->pdata[i]));
    n = add_rows(gtk_tree_view_get_model(views[0]), columns, table);
    hpmviz_drawing_add_table(drawing, table);
    hpmviz_drawn_table_free(table);
    if (n > MOST_ROWS) {
        g_autofree char *more = g_strdup_printf(
            _("and %u more rows: an export as CSV has all"), n - MOST_ROWS);

        hpmviz_drawing_add_text(drawing, HPMVIZ_FAINT, more);
    }
    return drawing;
}
