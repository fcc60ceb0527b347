/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of the list of sections. */
#include "hpmviz/sections/sectioncolumns.h"

#include <math.h>
#include <string.h>

#include "hpmviz/sections/sectionchange.h"
#include "hpmviz/sections/sectionfilter.h"
#include "hpmviz/sections/sectionmetric.h"
#include "hpmviz/widgets/cell.h"
#include "hpmviz/widgets/columns.h"
#include "hpmviz/widgets/safetext.h"

/* Metrics stand behind how many values are bad, and only those that are
 * listed. */
struct hpmviz_sectioncolumns {
    GtkTreeView *view;
    HpmvizSession *session;
    GPtrArray *columns;
    char *part; /* of labels, to be marked */
    hpmviz_sectioncolumns_click *click;
    gpointer owner;
};

static const char number_key[] = "hpmviz-section-column";

static guint
number_of(GtkTreeViewColumn *column)
{
    return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(column), number_key));
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
show_verdict(const struct hpmviz_sectioncolumns *columns, HpmvizCell *cell,
             guint row, guint column, const char *text)
{
    hpmviz_cell_set_verdict(
        cell, GTK_WIDGET(columns->view),
        hpmviz_session_view(columns->session)->palette,
        hpmviz_section_verdict(columns->session, row, column), text);
}

/* Has a cell of it more to be said than what is in it? */
static gboolean
has_details(guint number)
{
    return HPMVIZ_SECTION_IS_METRIC(number) || HPMVIZ_SECTION_IS_CHANGE(number);
}

static void
show_cell(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const struct hpmviz_sectioncolumns *columns = data;
    guint i = number_of(column);
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
    if (has_details(i))
        show_verdict(columns, HPMVIZ_CELL(renderer), row, i,
                     hpm_string_text(&text));
    hpmviz_cell_set_share(
        HPMVIZ_CELL(renderer),
        i == HPMVIZ_SECTION_SHARE
            ? hpmviz_section_number(columns->session, row, i) / 100
            : NAN);
    hpm_string_free(&text);
}

/* ---- what is said of a cell ------------------------------------------ */

static void
add_details(const struct hpmviz_sectioncolumns *columns, guint row,
            guint number, struct hpm_string *text)
{
    if (HPMVIZ_SECTION_IS_METRIC(number))
        hpmviz_sectionmetric_add_details(columns->session, row,
                                         HPMVIZ_SECTION_QUANTITY(number), text);
    else
        hpmviz_sectionchange_add_details(columns->session, row, text);
}

/* NULL for other columns. */
static char *
tell(const struct hpmviz_sectioncolumns *columns, GtkTreePath *path,
     GtkTreeViewColumn *column)
{
    GtkTreeModel *model = gtk_tree_view_get_model(columns->view);
    struct hpm_string text = {0};
    GtkTreeIter iter;

    if (model == NULL || path == NULL || column == NULL ||
        !has_details(number_of(column)) ||
        !gtk_tree_model_get_iter(model, &iter, path))
        return NULL;
    add_details(columns, hpmviz_rowmodel_get(HPMVIZ_ROWMODEL(model), &iter),
                number_of(column), &text);
    return hpmviz_safe_take(&text);
}

/* Rows of a tree are counted as they are shown. */
static GtkTreePath *
path_of_row(GtkTreeView *view, guint row)
{
    GtkTreePath *path = gtk_tree_path_new_first();
    GtkTreeModel *model = gtk_tree_view_get_model(view);
    GtkTreeIter iter;

    for (; row > 0; row--) {
        if (gtk_tree_view_row_expanded(view, path)) {
            gtk_tree_path_down(path);
            continue;
        }
        gtk_tree_path_next(path);
        while (gtk_tree_path_get_depth(path) > 1 &&
               !gtk_tree_model_get_iter(model, &iter, path)) {
            gtk_tree_path_up(path);
            gtk_tree_path_next(path);
        }
    }
    return path;
}

static const char columns_key[] = "hpmviz-sectioncolumns";

static char *
describe(guint place, gpointer data)
{
    GtkTreeViewColumn *column = data;
    const struct hpmviz_sectioncolumns *columns =
        g_object_get_data(G_OBJECT(column), columns_key);
    GtkTreePath *path;
    char *text;

    if (gtk_tree_view_get_model(columns->view) == NULL)
        return NULL;
    path = path_of_row(columns->view, place);
    text = tell(columns, path, column);
    gtk_tree_path_free(path);
    return text;
}

/* Of the cell under the pointer, or by keyboard of that under the cursor. */
static gboolean
on_tooltip(GtkWidget *widget, int x, int y, gboolean is_by_keyboard,
           GtkTooltip *tooltip, gpointer data)
{
    const struct hpmviz_sectioncolumns *columns = data;
    GtkTreePath *path = NULL;
    GtkTreeViewColumn *column = NULL;
    char *text;

    (void)widget;
    if (is_by_keyboard) {
        gtk_tree_view_get_cursor(columns->view, &path, &column);
    } else {
        gtk_tree_view_convert_widget_to_bin_window_coords(columns->view, x, y,
                                                          &x, &y);
        gtk_tree_view_get_path_at_pos(columns->view, x, y, &path, &column, NULL,
                                      NULL);
    }
    text = tell(columns, path, column);
    if (text != NULL) {
        gtk_tooltip_set_text(tooltip, text);
        gtk_tree_view_set_tooltip_cell(columns->view, tooltip, path, column,
                                       NULL);
    }
    gtk_tree_path_free(path);
    g_free(text);
    return text != NULL;
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
        columns->click(columns->owner, number_of(column));
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
    for (guint i = 0; i < columns->columns->len; i++) {
        GtkTreeViewColumn *column = columns->columns->pdata[i];
        char *meaning =
            hpmviz_section_meaning(columns->session, number_of(column));

        gtk_widget_set_tooltip_text(gtk_tree_view_column_get_widget(column),
                                    meaning);
        g_free(meaning);
    }
}

void
hpmviz_sectioncolumns_show_order(struct hpmviz_sectioncolumns *columns,
                                 const struct hpmviz_section_order *order)
{
    GtkSortType type =
        order->is_rising[0] ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING;

    for (guint i = 0; i < columns->columns->len; i++) {
        GtkTreeViewColumn *column = columns->columns->pdata[i];

        gtk_tree_view_column_set_sort_indicator(column, number_of(column) ==
                                                            order->columns[0]);
        gtk_tree_view_column_set_sort_order(column, type);
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

/* Numbers are measured by the longest of them: there may be hundreds of
 * metrics. */
static int
width_of_rows(const struct hpmviz_sectioncolumns *columns, guint number,
              HpmvizRowmodel *model)
{
    GtkTreeIter iter;
    gboolean is_text = hpmviz_section_is_text(number);
    gboolean is_there =
        gtk_tree_model_get_iter_first(GTK_TREE_MODEL(model), &iter);
    char *longest = g_strdup("");
    int width = 0;

    for (int n = 0; is_there && n < SAMPLE; n++) {
        struct hpm_string text = {0};

        hpmviz_section_add_text(
            columns->session, hpmviz_rowmodel_get(model, &iter), number, &text);
        if (is_text)
            width = MAX(width, width_of(columns, hpm_string_text(&text)));
        else if (g_utf8_strlen(hpm_string_text(&text), -1) >
                 g_utf8_strlen(longest, -1)) {
            g_free(longest);
            longest = g_strdup(hpm_string_text(&text));
        }
        hpm_string_free(&text);
        is_there = gtk_tree_model_iter_next(GTK_TREE_MODEL(model), &iter);
    }
    width = MAX(width, width_of(columns, longest));
    g_free(longest);
    return width;
}

/* Of the heading with its arrow and of the rows, but no label takes all the
 * room; of metrics with the sign of a verdict. */
static int
fitting_width(const struct hpmviz_sectioncolumns *columns,
              GtkTreeViewColumn *column, HpmvizRowmodel *model)
{
    guint number = number_of(column);
    int em = width_of(columns, "m"), heading;
    int rows = width_of_rows(columns, number, model) +
               (has_details(number) ? 3 : 1) * em;

    gtk_widget_get_preferred_width(gtk_tree_view_column_get_widget(column),
                                   NULL, &heading);
    heading += 2 * em;
    if (number == HPMVIZ_SECTION_LABEL)
        heading = MAX(heading, 10 * em);
    return MAX(heading, MIN(rows, 30 * em));
}

void
hpmviz_sectioncolumns_fit(struct hpmviz_sectioncolumns *columns,
                          HpmvizRowmodel *model)
{
    for (guint i = 0; i < columns->columns->len; i++)
        hpmviz_columns_fit(
            columns->view, columns->columns->pdata[i],
            fitting_width(columns, columns->columns->pdata[i], model));
}

/* ---- texts ----------------------------------------------------------- */

static void
add_title(const struct hpmviz_sectioncolumns *columns, guint number,
          struct hpm_string *text)
{
    char *title = hpmviz_section_title(columns->session, number);

    hpm_string_add(text, title);
    g_free(title);
}

void
hpmviz_sectioncolumns_add_line(const struct hpmviz_sectioncolumns *columns,
                               size_t row, struct hpm_string *text)
{
    GList *all = gtk_tree_view_get_columns(columns->view);
    const char *before = "";

    for (GList *at = all; at != NULL; at = at->next) {
        guint number = number_of(at->data);

        if (!gtk_tree_view_column_get_visible(at->data))
            continue;
        hpm_string_add(text, before);
        if (row == HPM_NO_SUBJECT)
            add_title(columns, number, text);
        else
            hpmviz_section_add_exact(columns->session, (guint)row, number,
                                     text);
        before = "\t";
    }
    hpm_string_add(text, "\n");
    g_list_free(all);
}

/* ---- one of them ----------------------------------------------------- */

static void
name_column(const struct hpmviz_sectioncolumns *columns,
            GtkTreeViewColumn *column, guint number)
{
    char *title = hpmviz_section_title(columns->session, number);
    char *name = hpmviz_section_name(columns->session, number);
    GtkWidget *heading = gtk_label_new(title);

    gtk_widget_show(heading);
    gtk_tree_view_column_set_widget(column, heading);
    gtk_tree_view_column_set_title(column, title);
    hpmviz_columns_set_name(column, name);
    g_object_set_data(G_OBJECT(column), number_key, GUINT_TO_POINTER(number));
    g_free(title);
    g_free(name);
}

static void
add_cell(struct hpmviz_sectioncolumns *columns, GtkTreeViewColumn *column,
         guint number)
{
    GtkCellRenderer *cell = hpmviz_cell_new();
    gboolean is_text = hpmviz_section_is_text(number);

    g_object_set(cell, "xalign", is_text ? 0.0 : 1.0, "ellipsize",
                 is_text ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE, NULL);
    gtk_tree_view_column_pack_start(column, cell, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, cell, show_cell, columns,
                                            NULL);
    g_object_set_data(G_OBJECT(column), columns_key, columns);
    if (has_details(number))
        hpmviz_cell_set_describe(HPMVIZ_CELL(cell), describe, column);
}

/* The place says where it is, in less room than the file; of two runs what
 * changed is looked at first. */
static gboolean
is_shown_first(const struct hpmviz_sectioncolumns *columns, guint number)
{
    if (hpmviz_change_is_shown(columns->session))
        return HPMVIZ_SECTION_IS_CHANGE(number) ||
               number == HPMVIZ_SECTION_LABEL || number == HPMVIZ_SECTION_PLACE;
    return number < HPMVIZ_SECTION_FILE;
}

static void
add_column(struct hpmviz_sectioncolumns *columns, guint number)
{
    GtkTreeViewColumn *column = gtk_tree_view_column_new();

    g_ptr_array_add(columns->columns, column);
    name_column(columns, column, number);
    add_cell(columns, column, number);
    gtk_tree_view_column_set_sizing(column, GTK_TREE_VIEW_COLUMN_FIXED);
    gtk_tree_view_column_set_resizable(column, TRUE);
    gtk_tree_view_column_set_reorderable(column, TRUE);
    gtk_tree_view_column_set_clickable(column, TRUE);
    gtk_tree_view_column_set_alignment(
        column, hpmviz_section_is_text(number) ? 0.0f : 1.0f);
    gtk_tree_view_column_set_visible(column, is_shown_first(columns, number));
    g_signal_connect(column, "clicked", G_CALLBACK(on_clicked), columns);
    gtk_tree_view_append_column(columns->view, column);
}

/* ---- all of them ----------------------------------------------------- */

/* What changed is in sight in a narrow pane, too. */
static void
add_changes(const struct hpmviz_sectioncolumns *columns, GArray *numbers)
{
    static const guint order[] = {HPMVIZ_SECTION_DIFFERENCE,
                                  HPMVIZ_SECTION_RATIO, HPMVIZ_SECTION_A,
                                  HPMVIZ_SECTION_B, HPMVIZ_SECTION_ONLY};

    if (hpmviz_change_is_shown(columns->session))
        g_array_append_vals(numbers, order, G_N_ELEMENTS(order));
}

static GArray *
list_numbers(const struct hpmviz_sectioncolumns *columns)
{
    const struct hpm_survey *survey = hpmviz_session_survey(columns->session);
    gboolean *are_listed = hpmviz_sectionmetric_list(columns->session);
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = 0; i < HPMVIZ_SECTION_PLACE; i++) {
        g_array_append_val(numbers, i);
        if (i == HPMVIZ_SECTION_LABEL)
            add_changes(columns, numbers);
    }
    for (guint i = 0; survey != NULL && i < survey->n_quantities; i++) {
        guint number = HPMVIZ_SECTION_METRIC(i);

        if (are_listed[i])
            g_array_append_val(numbers, number);
    }
    g_free(are_listed);
    for (guint i = HPMVIZ_SECTION_PLACE; i <= HPMVIZ_SECTION_FILE; i++)
        g_array_append_val(numbers, i);
    return numbers;
}

/* Is it the column of this number, and called so still? */
static gboolean
is_column(const struct hpmviz_sectioncolumns *columns,
          GtkTreeViewColumn *column, guint number)
{
    char *title = hpmviz_section_title(columns->session, number);
    gboolean is_it = number_of(column) == number &&
                     strcmp(gtk_tree_view_column_get_title(column), title) == 0;

    g_free(title);
    return is_it;
}

static gboolean
are_columns(const struct hpmviz_sectioncolumns *columns, const GArray *numbers)
{
    if (columns->columns->len != numbers->len)
        return FALSE;
    for (guint i = 0; i < numbers->len; i++) {
        if (!is_column(columns, columns->columns->pdata[i],
                       g_array_index(numbers, guint, i)))
            return FALSE;
    }
    return TRUE;
}

const char *
hpmviz_sectioncolumns_group(const struct hpmviz_sectioncolumns *columns)
{
    return hpmviz_change_is_shown(columns->session) ? "compared columns"
                                                    : "sections columns";
}

gboolean
hpmviz_sectioncolumns_list(struct hpmviz_sectioncolumns *columns)
{
    GArray *numbers = list_numbers(columns);
    gboolean are_others = !are_columns(columns, numbers);

    if (are_others) {
        gtk_tree_view_set_model(columns->view, NULL);
        hpmviz_columns_hold(columns->view);
        for (guint i = 0; i < columns->columns->len; i++)
            gtk_tree_view_remove_column(columns->view,
                                        columns->columns->pdata[i]);
        g_ptr_array_set_size(columns->columns, 0);
        for (guint i = 0; i < numbers->len; i++)
            add_column(columns, g_array_index(numbers, guint, i));
        hpmviz_columns_remember(columns->view,
                                hpmviz_session_preferences(columns->session),
                                hpmviz_sectioncolumns_group(columns));
        hpmviz_sectioncolumns_explain(columns);
    }
    g_array_unref(numbers);
    return are_others;
}

gboolean
hpmviz_sectioncolumns_have_metric(const struct hpmviz_sectioncolumns *columns)
{
    for (guint i = 0; i < columns->columns->len; i++) {
        GtkTreeViewColumn *column = columns->columns->pdata[i];

        if (HPMVIZ_SECTION_IS_METRIC(number_of(column)) &&
            gtk_tree_view_column_get_visible(column))
            return TRUE;
    }
    return FALSE;
}

struct hpmviz_sectioncolumns *
hpmviz_sectioncolumns_new(GtkTreeView *view, HpmvizSession *session)
{
    struct hpmviz_sectioncolumns *columns =
        g_new0(struct hpmviz_sectioncolumns, 1);

    columns->view = view;
    columns->session = session;
    columns->part = g_strdup("");
    columns->columns = g_ptr_array_new();
    gtk_widget_set_has_tooltip(GTK_WIDGET(view), TRUE);
    g_signal_connect(view, "query-tooltip", G_CALLBACK(on_tooltip), columns);
    hpmviz_sectioncolumns_list(columns);
    gtk_tree_view_set_fixed_height_mode(view, TRUE);
    return columns;
}

void
hpmviz_sectioncolumns_free(struct hpmviz_sectioncolumns *columns)
{
    if (columns == NULL)
        return;
    g_ptr_array_unref(columns->columns);
    g_free(columns->part);
    g_free(columns);
}
