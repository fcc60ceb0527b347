/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of the list of sections. */
#include "hpmviz/sections/sectioncolumns.h"

#include <math.h>

#include "hpmviz/sections/sectionfilter.h"
#include "hpmviz/widgets/cell.h"
#include "hpmviz/widgets/columns.h"

struct hpmviz_sectioncolumns {
    GtkTreeView *view;
    HpmvizSession *session;
    GtkTreeViewColumn *columns[HPMVIZ_SECTION_N_COLUMNS];
    char *part; /* of labels, to be marked */
    hpmviz_sectioncolumns_click *click;
    gpointer owner;
};

static enum hpmviz_section_column
index_of(const struct hpmviz_sectioncolumns *columns,
         const GtkTreeViewColumn *column)
{
    enum hpmviz_section_column i = HPMVIZ_SECTION_LABEL;

    while (columns->columns[i] != column)
        i++;
    return i;
}

/* ---- cells ----------------------------------------------------------- */

static void
mark(PangoAttrList *list, PangoAttribute *attribute, guint start, guint end)
{
    attribute->start_index = start;
    attribute->end_index = end;
    pango_attr_list_insert(list, attribute);
}

/* Never by markup, for a label may look like it. */
static PangoAttrList *
mark_part(const struct hpmviz_sectioncolumns *columns, const char *label)
{
    PangoAttrList *list = pango_attr_list_new();
    guint start, end;

    if (hpmviz_sectionfilter_find(label, columns->part, &start, &end)) {
        mark(list, pango_attr_weight_new(PANGO_WEIGHT_BOLD), start, end);
        mark(list, pango_attr_underline_new(PANGO_UNDERLINE_SINGLE), start,
             end);
    }
    return list;
}

static void
show_cell(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const struct hpmviz_sectioncolumns *columns = data;
    enum hpmviz_section_column i = index_of(columns, column);
    guint row = hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), iter);
    struct hpm_string text = {0};

    hpmviz_section_add_text(columns->session, row, i, &text);
    g_object_set(renderer, "text", hpm_string_text(&text), "sensitive",
                 !hpmviz_section_is_idle(columns->session, row), NULL);
    if (i == HPMVIZ_SECTION_LABEL) {
        PangoAttrList *list = mark_part(columns, hpm_string_text(&text));

        g_object_set(renderer, "attributes", list, NULL);
        pango_attr_list_unref(list);
    }
    hpmviz_cell_set_share(
        HPMVIZ_CELL(renderer),
        i == HPMVIZ_SECTION_SHARE
            ? hpmviz_section_number(columns->session, row, i) / 100
            : NAN);
    hpm_string_free(&text);
}

void
hpmviz_sectioncolumns_mark(struct hpmviz_sectioncolumns *columns,
                           const char *part)
{
    g_free(columns->part);
    columns->part = g_strdup(part);
}

/* ---- headings -------------------------------------------------------- */

static void
on_clicked(GtkTreeViewColumn *column, gpointer data)
{
    struct hpmviz_sectioncolumns *columns = data;

    if (columns->click != NULL)
        columns->click(columns->owner, index_of(columns, column));
}

void
hpmviz_sectioncolumns_listen(struct hpmviz_sectioncolumns *columns,
                             hpmviz_sectioncolumns_click *click, gpointer owner)
{
    columns->click = click;
    columns->owner = owner;
}

void
hpmviz_sectioncolumns_explain(struct hpmviz_sectioncolumns *columns)
{
    for (int i = 0; i < HPMVIZ_SECTION_N_COLUMNS; i++) {
        char *meaning =
            hpmviz_section_meaning((enum hpmviz_section_column)i,
                                   hpmviz_session_view(columns->session));

        gtk_widget_set_tooltip_text(
            gtk_tree_view_column_get_widget(columns->columns[i]), meaning);
        g_free(meaning);
    }
}

void
hpmviz_sectioncolumns_show_order(struct hpmviz_sectioncolumns *columns,
                                 const struct hpmviz_section_order *order)
{
    GtkSortType type =
        order->is_rising[0] ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING;

    for (int i = 0; i < HPMVIZ_SECTION_N_COLUMNS; i++) {
        gtk_tree_view_column_set_sort_indicator(columns->columns[i],
                                                i == (int)order->columns[0]);
        gtk_tree_view_column_set_sort_order(columns->columns[i], type);
    }
}

/* ---- widths ---------------------------------------------------------- */

static int
width_of(const struct hpmviz_sectioncolumns *columns, const char *text)
{
    PangoLayout *layout =
        gtk_widget_create_pango_layout(GTK_WIDGET(columns->view), text);
    int width;

    pango_layout_get_pixel_size(layout, &width, NULL);
    g_object_unref(layout);
    return width;
}

enum { SAMPLE = 100 }; /* rows; the first are those that are looked at */

static int
width_of_rows(const struct hpmviz_sectioncolumns *columns,
              enum hpmviz_section_column i, HpmvizRowmodel *model)
{
    GtkTreeIter iter;
    gboolean is_there =
        gtk_tree_model_get_iter_first(GTK_TREE_MODEL(model), &iter);
    int width = 0;

    for (int n = 0; is_there && n < SAMPLE; n++) {
        struct hpm_string text = {0};

        hpmviz_section_add_text(columns->session,
                                hpmviz_rowmodel_get(model, &iter), i, &text);
        width = MAX(width, width_of(columns, hpm_string_text(&text)));
        hpm_string_free(&text);
        is_there = gtk_tree_model_iter_next(GTK_TREE_MODEL(model), &iter);
    }
    return width;
}

/* Of the heading with its arrow and of the rows, but no label takes all the
 * room. */
static int
fitting_width(const struct hpmviz_sectioncolumns *columns,
              enum hpmviz_section_column i, HpmvizRowmodel *model)
{
    int em = width_of(columns, "m"), heading;
    int rows = width_of_rows(columns, i, model) + em;

    gtk_widget_get_preferred_width(
        gtk_tree_view_column_get_widget(columns->columns[i]), NULL, &heading);
    heading += 2 * em;
    if (i == HPMVIZ_SECTION_LABEL)
        heading = MAX(heading, 10 * em);
    return MAX(heading, MIN(rows, 30 * em));
}

void
hpmviz_sectioncolumns_fit(struct hpmviz_sectioncolumns *columns,
                          HpmvizRowmodel *model)
{
    for (int i = 0; i < HPMVIZ_SECTION_N_COLUMNS; i++)
        hpmviz_columns_fit(
            columns->view, columns->columns[i],
            fitting_width(columns, (enum hpmviz_section_column)i, model));
}

/* ---- texts ----------------------------------------------------------- */

void
hpmviz_sectioncolumns_add_line(const struct hpmviz_sectioncolumns *columns,
                               size_t row, struct hpm_string *text)
{
    GList *all = gtk_tree_view_get_columns(columns->view);
    const char *before = "";

    for (GList *at = all; at != NULL; at = at->next) {
        enum hpmviz_section_column i = index_of(columns, at->data);

        if (!gtk_tree_view_column_get_visible(at->data))
            continue;
        hpm_string_add(text, before);
        if (row == HPM_NO_SUBJECT)
            hpm_string_add(text, hpmviz_section_title(i));
        else
            hpmviz_section_add_exact(columns->session, (guint)row, i, text);
        before = "\t";
    }
    hpm_string_add(text, "\n");
    g_list_free(all);
}

/* ---- all of them ----------------------------------------------------- */

static void
add_column(struct hpmviz_sectioncolumns *columns, enum hpmviz_section_column i)
{
    GtkCellRenderer *cell = hpmviz_cell_new();
    GtkTreeViewColumn *column = gtk_tree_view_column_new();
    GtkWidget *heading = gtk_label_new(hpmviz_section_title(i));
    gboolean is_text = hpmviz_section_is_text(i);

    columns->columns[i] = column;
    gtk_widget_show(heading);
    gtk_tree_view_column_set_widget(column, heading);
    gtk_tree_view_column_set_title(column, hpmviz_section_title(i));
    hpmviz_columns_set_name(column, hpmviz_section_name(i));
    g_object_set(cell, "xalign", is_text ? 0.0 : 1.0, "ellipsize",
                 is_text ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE, NULL);
    gtk_tree_view_column_pack_start(column, cell, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, cell, show_cell, columns,
                                            NULL);
    gtk_tree_view_column_set_sizing(column, GTK_TREE_VIEW_COLUMN_FIXED);
    gtk_tree_view_column_set_resizable(column, TRUE);
    gtk_tree_view_column_set_reorderable(column, TRUE);
    gtk_tree_view_column_set_clickable(column, TRUE);
    gtk_tree_view_column_set_alignment(column, is_text ? 0.0f : 1.0f);
    /* the place says where it is, in less room */
    gtk_tree_view_column_set_visible(column, i != HPMVIZ_SECTION_FILE);
    g_signal_connect(column, "clicked", G_CALLBACK(on_clicked), columns);
    gtk_tree_view_append_column(columns->view, column);
}

struct hpmviz_sectioncolumns *
hpmviz_sectioncolumns_new(GtkTreeView *view, HpmvizSession *session)
{
    struct hpmviz_sectioncolumns *columns =
        g_new0(struct hpmviz_sectioncolumns, 1);

    columns->view = view;
    columns->session = session;
    columns->part = g_strdup("");
    for (int i = 0; i < HPMVIZ_SECTION_N_COLUMNS; i++)
        add_column(columns, (enum hpmviz_section_column)i);
    gtk_tree_view_set_fixed_height_mode(view, TRUE);
    return columns;
}

void
hpmviz_sectioncolumns_free(struct hpmviz_sectioncolumns *columns)
{
    if (columns != NULL)
        g_free(columns->part);
    g_free(columns);
}
