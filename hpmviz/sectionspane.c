/* SPDX-License-Identifier: BSD-3-Clause
 * The sections that were measured, the costliest first. */
#include "hpmviz/sectionspane.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "hpmviz/cell.h"
#include "hpmviz/columns.h"
#include "hpmviz/rowmodel.h"
#include "report/filter.h"
#include "report/format.h"
#include "report/shown.h"

enum kind {
    LABEL,
    EXCLUSIVE,
    SHARE,
    INCLUSIVE,
    CALLS,
    IMBALANCE,
    BAD,
    PLACE,
    N_KINDS
};

struct _HpmvizSectionspane {
    GtkBox parent_instance;
    HpmvizSession *session;
    GtkWidget *filter_entry, *scope_box, *tree_button;
    GtkTreeView *view;
    HpmvizRowmodel *model;
    GtkTreeViewColumn *columns[N_KINDS];
    enum kind keys[2]; /* sorted by, and where that is the same by */
    gboolean is_rising[2];
    gboolean is_updating; /* what GTK tells is our own doing */
};

G_DEFINE_TYPE(HpmvizSectionspane, hpmviz_sectionspane, GTK_TYPE_BOX)

enum { ENTERED, OPENED, MENU, N_SIGNALS };

static guint signals[N_SIGNALS];

struct title {
    const char *name, *title, *tooltip;
    int width; /* characters */
};

static const struct title titles[N_KINDS] = {
    [LABEL] = {"label", N_("Section"), N_("the label it was given"), 24},
    [EXCLUSIVE] = {"exclusive", N_("Exclusive s"),
                   N_("seconds without the sections inside it"), 12},
    [SHARE] = {"share", N_("Share %"),
               N_("of the exclusive time of all threads"), 8},
    [INCLUSIVE] = {"inclusive", N_("Inclusive s"),
                   N_("seconds with the sections inside it"), 12},
    [CALLS] = {"calls", N_("Calls"),
               N_("how often it was entered, all threads"), 10},
    [IMBALANCE] = {"imbalance", N_("Imbalance %"),
                   N_("the part of the slowest thread's time that the others "
                      "wait on average: (max - mean) / max"),
                   11},
    [BAD] = {"bad", N_("Bad"), N_("metrics beyond their limits"), 5},
    [PLACE] = {"place", N_("Place"), N_("file and line where it starts"), 18},
};

/* ---- values ---------------------------------------------------------- */

static const struct hpm_subject *
subject_of(const HpmvizSectionspane *pane, guint row)
{
    return &hpmviz_session_survey(pane->session)->subjects[row];
}

static const struct hpm_section *
section_of(const HpmvizSectionspane *pane, guint row)
{
    return hpmviz_session_section(pane->session, row);
}

static double
value_of_kind(const HpmvizSectionspane *pane, guint row,
              enum hpm_quantity_kind kind)
{
    size_t quantity =
        hpm_survey_find_kind(hpmviz_session_survey(pane->session), kind);

    return quantity != HPM_NO_QUANTITY
               ? hpmviz_session_value(pane->session, row, quantity)
               : NAN;
}

static double
calls_of(const HpmvizSectionspane *pane, guint row)
{
    const struct hpm_survey *survey = hpmviz_session_survey(pane->session);
    size_t quantity = hpm_survey_find_kind(survey, HPM_QUANTITY_CALLS);
    const struct hpm_entry *entry =
        quantity != HPM_NO_QUANTITY
            ? hpm_subject_entry(subject_of(pane, row), quantity)
            : NULL;

    return entry != NULL ? hpm_number_to_real(entry->figure.value) : NAN;
}

static double
imbalance_of(const HpmvizSectionspane *pane, guint row)
{
    const struct hpm_survey *survey = hpmviz_session_survey(pane->session);
    size_t quantity = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    const struct hpm_entry *entry =
        quantity != HPM_NO_QUANTITY
            ? hpm_subject_entry(subject_of(pane, row), quantity)
            : NULL;

    return entry != NULL ? 100 * hpm_summary_imbalance(&entry->threads) : NAN;
}

/* NAN for texts. */
static double
number_of(const HpmvizSectionspane *pane, guint row, enum kind kind)
{
    switch (kind) {
    case EXCLUSIVE:
        return value_of_kind(pane, row, HPM_QUANTITY_EXCLUSIVE);
    case INCLUSIVE:
        return value_of_kind(pane, row, HPM_QUANTITY_INCLUSIVE);
    case SHARE:
        return 100 * subject_of(pane, row)->share;
    case CALLS:
        return calls_of(pane, row);
    case IMBALANCE:
        return imbalance_of(pane, row);
    case BAD:
        return (double)subject_of(pane, row)->n_bad;
    default:
        return NAN;
    }
}

static void
add_place(struct hpm_string *string, const struct hpm_section *section)
{
    if (section->base != NULL)
        hpm_string_add(string, section->base);
    if (section->base != NULL && section->line > 0)
        hpm_string_add_format(string, ":%d", section->line);
}

static void
add_text(const HpmvizSectionspane *pane, guint row, enum kind kind,
         struct hpm_string *string)
{
    double number = number_of(pane, row, kind);

    if (kind == LABEL)
        hpm_survey_add_label(hpmviz_session_survey(pane->session), row, string);
    else if (kind == PLACE)
        add_place(string, section_of(pane, row));
    else if (isnan(number))
        hpm_string_add(string, "n/a");
    else if (kind == CALLS)
        hpm_string_add_grouped(string, (uint64_t)number);
    else if (kind == BAD && number == 0)
        return;
    else
        hpm_string_add_fixed(string, number,
                             kind == BAD                          ? 0
                             : kind == SHARE || kind == IMBALANCE ? 1
                                                                  : 6);
}

/* ---- cells ----------------------------------------------------------- */

static enum kind
kind_of(const HpmvizSectionspane *pane, const GtkTreeViewColumn *column)
{
    enum kind kind = LABEL;

    while (pane->columns[kind] != column)
        kind++;
    return kind;
}

static guint
row_at(GtkTreeModel *model, GtkTreeIter *iter)
{
    guint row;

    gtk_tree_model_get(model, iter, HPMVIZ_ROWMODEL_ROW, &row, -1);
    return row;
}

/* No label is to be taken for markup, or to drive the text's direction: what
 * is not to be printed shows as \xHH. */
static void
show_cell(GtkTreeViewColumn *column, GtkCellRenderer *renderer,
          GtkTreeModel *model, GtkTreeIter *iter, gpointer data)
{
    const HpmvizSectionspane *pane = data;
    guint row = row_at(model, iter);
    enum kind kind = kind_of(pane, column);
    struct hpm_string raw = {0}, safe = {0};

    add_text(pane, row, kind, &raw);
    hpm_text_add_safe(&safe, hpm_string_text(&raw));
    g_object_set(renderer, "text", hpm_string_text(&safe), NULL);
    hpmviz_cell_set_share(HPMVIZ_CELL(renderer),
                          kind == SHARE ? subject_of(pane, row)->share : NAN);
    hpm_string_free(&raw);
    hpm_string_free(&safe);
}

/* ---- order ----------------------------------------------------------- */

static int
compare_by(const HpmvizSectionspane *pane, guint a, guint b, enum kind kind)
{
    if (kind == LABEL || kind == PLACE) {
        struct hpm_string x = {0}, y = {0};
        int order;

        add_text(pane, a, kind, &x);
        add_text(pane, b, kind, &y);
        order = strcmp(hpm_string_text(&x), hpm_string_text(&y));
        hpm_string_free(&x);
        hpm_string_free(&y);
        return order;
    }
    double x = number_of(pane, a, kind), y = number_of(pane, b, kind);

    return (x > y) - (x < y);
}

/* What has no value comes last, whichever way. */
static int
compare_rows(guint a, guint b, gpointer data)
{
    const HpmvizSectionspane *pane = data;

    for (int i = 0; i < 2; i++) {
        enum kind kind = pane->keys[i];
        bool is_text = kind == LABEL || kind == PLACE;
        bool no_a = !is_text && isnan(number_of(pane, a, kind));
        bool no_b = !is_text && isnan(number_of(pane, b, kind));
        int order;

        if (no_a != no_b)
            return no_a ? 1 : -1;
        order = no_a ? 0 : compare_by(pane, a, b, kind);
        if (order != 0)
            return pane->is_rising[i] ? order : -order;
    }
    return (a > b) - (a < b);
}

static void
show_order(HpmvizSectionspane *pane)
{
    for (enum kind kind = 0; kind < N_KINDS; kind++) {
        GtkTreeViewColumn *column = pane->columns[kind];

        gtk_tree_view_column_set_sort_indicator(column, kind == pane->keys[0]);
        gtk_tree_view_column_set_sort_order(column, pane->is_rising[0]
                                                        ? GTK_SORT_ASCENDING
                                                        : GTK_SORT_DESCENDING);
    }
}

static void
sort(HpmvizSectionspane *pane)
{
    hpmviz_rowmodel_sort(pane->model, compare_rows, pane);
    show_order(pane);
}

/* Again on the same column turns it round; the column before stays the key
 * where this one tells nothing apart. */
static void
on_header(GtkTreeViewColumn *column, gpointer data)
{
    HpmvizSectionspane *pane = data;
    enum kind kind = kind_of(pane, column);

    if (kind == pane->keys[0]) {
        pane->is_rising[0] = !pane->is_rising[0];
    } else {
        pane->keys[1] = pane->keys[0];
        pane->is_rising[1] = pane->is_rising[0];
        pane->keys[0] = kind;
        pane->is_rising[0] = kind == LABEL || kind == PLACE;
    }
    sort(pane);
}

/* ---- rows ------------------------------------------------------------ */

/* The text as a filter (report/filter.h), or, where it is none, part of a
 * label in either case. */
static gboolean
is_wanted(const HpmvizSectionspane *pane, const struct hpm_filter *filter,
          const char *part, size_t subject)
{
    struct hpm_line line = {.survey = hpmviz_session_survey(pane->session),
                            .subject = subject,
                            .task = -2,
                            .tid = -2};
    struct hpm_string label = {0};
    char *folded;
    gboolean is_in;

    if (filter != NULL && hpm_filter_wants(filter, &line))
        return TRUE;
    hpm_survey_add_label(line.survey, subject, &label);
    folded = g_utf8_casefold(hpm_string_text(&label), -1);
    is_in = strstr(folded, part) != NULL;
    g_free(folded);
    hpm_string_free(&label);
    return is_in;
}

/* Which subjects are shown: those wanted and, of call paths, those around
 * them. */
static gboolean *
choose_rows(const HpmvizSectionspane *pane, const struct hpm_survey *survey)
{
    const char *text = gtk_entry_get_text(GTK_ENTRY(pane->filter_entry));
    int scope = hpmviz_session_view(pane->session)->scope;
    char *part = g_utf8_casefold(text, -1);
    struct hpm_error err;
    struct hpm_filter *filter =
        *text != '\0' ? hpm_filter_new(survey, text, &err) : NULL;
    gboolean *is_shown = g_new0(gboolean, survey->n_subjects + 1);

    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_subject *subject = &survey->subjects[i];

        if (survey->study->sections[subject->section].scope != scope ||
            !is_wanted(pane, filter, part, i))
            continue;
        for (size_t above = i; above != HPM_NO_SUBJECT && !is_shown[above];
             above = survey->subjects[above].parent)
            is_shown[above] = TRUE;
    }
    hpm_filter_free(filter);
    g_free(part);
    return is_shown;
}

/* Parents first, as the survey has them. */
static void
set_rows(HpmvizSectionspane *pane, const struct hpm_survey *survey)
{
    gboolean is_tree = hpmviz_session_view(pane->session)->is_tree;
    gboolean *is_shown = choose_rows(pane, survey);
    guint *rows = g_new(guint, survey->n_subjects + 1);
    guint *parents = g_new(guint, survey->n_subjects + 1);
    guint *node_of = g_new(guint, survey->n_subjects + 1), n = 0;

    for (guint i = 0; i < survey->n_subjects; i++) {
        size_t parent = survey->subjects[i].parent;

        if (!is_shown[i])
            continue;
        node_of[i] = n;
        rows[n] = i;
        parents[n++] =
            parent != HPM_NO_SUBJECT ? node_of[parent] : HPMVIZ_NO_ROW;
    }
    hpmviz_rowmodel_set(pane->model, rows, is_tree ? parents : NULL, n);
    g_free(is_shown);
    g_free(rows);
    g_free(parents);
    g_free(node_of);
}

static void
show_selection(HpmvizSectionspane *pane)
{
    size_t subject = hpmviz_session_selected(pane->session);
    GtkTreeIter iter;
    GtkTreePath *path;

    pane->is_updating = TRUE;
    if (subject == HPM_NO_SUBJECT ||
        !hpmviz_rowmodel_find(pane->model, (guint)subject, &iter)) {
        gtk_tree_selection_unselect_all(
            gtk_tree_view_get_selection(pane->view));
    } else {
        path = gtk_tree_model_get_path(GTK_TREE_MODEL(pane->model), &iter);
        gtk_tree_view_expand_to_path(pane->view, path);
        gtk_tree_view_set_cursor(pane->view, path, NULL, FALSE);
        gtk_tree_view_scroll_to_cell(pane->view, path, NULL, FALSE, 0, 0);
        gtk_tree_path_free(path);
    }
    pane->is_updating = FALSE;
}

static void
select_first(HpmvizSectionspane *pane)
{
    GtkTreeIter iter;

    if (gtk_tree_model_get_iter_first(GTK_TREE_MODEL(pane->model), &iter))
        hpmviz_session_select(pane->session,
                              hpmviz_rowmodel_get(pane->model, &iter));
}

/* The view is without its model meanwhile: nothing is drawn row by row. */
static void
refill(HpmvizSectionspane *pane)
{
    const struct hpm_survey *survey = hpmviz_session_survey(pane->session);

    pane->is_updating = TRUE;
    gtk_tree_view_set_model(pane->view, NULL);
    if (survey != NULL)
        set_rows(pane, survey);
    sort(pane);
    gtk_tree_view_set_model(pane->view, GTK_TREE_MODEL(pane->model));
    gtk_tree_view_expand_all(pane->view);
    pane->is_updating = FALSE;
    show_selection(pane);
}

/* ---- what happens ---------------------------------------------------- */

static void
on_loaded(HpmvizSectionspane *pane)
{
    refill(pane);
    if (hpmviz_session_selected(pane->session) == HPM_NO_SUBJECT)
        select_first(pane);
}

static void
on_viewed(HpmvizSectionspane *pane)
{
    const struct hpmviz_view *view = hpmviz_session_view(pane->session);

    pane->is_updating = TRUE;
    gtk_combo_box_set_active(GTK_COMBO_BOX(pane->scope_box),
                             view->scope == HPM_SCOPE_THREAD ? 0 : 1);
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(pane->tree_button),
                                 view->is_tree);
    pane->is_updating = FALSE;
    refill(pane);
}

static void
on_selection(GtkTreeSelection *selection, gpointer data)
{
    HpmvizSectionspane *pane = data;
    GtkTreeModel *model;
    GtkTreeIter iter;

    if (!pane->is_updating &&
        gtk_tree_selection_get_selected(selection, &model, &iter))
        hpmviz_session_select(pane->session, row_at(model, &iter));
}

static void
on_scope(GtkComboBox *box, gpointer data)
{
    HpmvizSectionspane *pane = data;
    struct hpmviz_view view = *hpmviz_session_view(pane->session);

    if (pane->is_updating)
        return;
    view.scope = gtk_combo_box_get_active(box) == 0 ? HPM_SCOPE_THREAD
                                                    : HPM_SCOPE_PROCESS;
    hpmviz_session_set_view(pane->session, &view);
    select_first(pane);
}

static void
on_tree(GtkToggleButton *button, gpointer data)
{
    HpmvizSectionspane *pane = data;
    struct hpmviz_view view = *hpmviz_session_view(pane->session);

    if (pane->is_updating)
        return;
    view.is_tree = gtk_toggle_button_get_active(button);
    hpmviz_session_set_view(pane->session, &view);
}

static void
on_filter(HpmvizSectionspane *pane)
{
    refill(pane);
}

static gboolean
on_button(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    HpmvizSectionspane *pane = data;
    GtkTreePath *path;

    if (event->window != gtk_tree_view_get_bin_window(pane->view) ||
        !gtk_tree_view_get_path_at_pos(pane->view, (int)event->x, (int)event->y,
                                       &path, NULL, NULL, NULL))
        return FALSE;
    (void)widget;
    if (event->type == GDK_2BUTTON_PRESS && event->button == 1)
        g_signal_emit(pane, signals[ENTERED], 0);
    if (event->type == GDK_BUTTON_PRESS && event->button == 3) {
        gtk_tree_view_set_cursor(pane->view, path, NULL, FALSE);
        g_signal_emit(
            pane, signals[event->state & GDK_CONTROL_MASK ? MENU : OPENED], 0);
    }
    gtk_tree_path_free(path);
    return event->button == 3;
}

static gboolean
on_popup_menu(GtkWidget *widget, gpointer data)
{
    (void)widget;
    g_signal_emit(data, signals[MENU], 0);
    return TRUE;
}

/* Enter; a double click emits it, too, but has its own meaning. */
static gboolean
on_key(GtkWidget *widget, GdkEventKey *event, gpointer data)
{
    (void)widget;
    if (event->keyval != GDK_KEY_Return && event->keyval != GDK_KEY_KP_Enter)
        return FALSE;
    g_signal_emit(data, signals[OPENED], 0);
    return TRUE;
}

/* ---- the object ------------------------------------------------------ */

static void
add_column(HpmvizSectionspane *pane, enum kind kind)
{
    GtkCellRenderer *cell = hpmviz_cell_new();
    GtkTreeViewColumn *column = gtk_tree_view_column_new();
    GtkWidget *heading = gtk_label_new(_(titles[kind].title));
    gboolean is_text = kind == LABEL || kind == PLACE;

    pane->columns[kind] = column;
    gtk_widget_set_tooltip_text(heading, _(titles[kind].tooltip));
    gtk_widget_show(heading);
    gtk_tree_view_column_set_widget(column, heading);
    gtk_tree_view_column_set_title(column, _(titles[kind].title));
    hpmviz_columns_set_name(column, titles[kind].name);
    g_object_set(cell, "xalign", is_text ? 0.0 : 1.0, "ellipsize",
                 is_text ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE,
                 "width-chars", titles[kind].width, NULL);
    gtk_tree_view_column_pack_start(column, cell, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, cell, show_cell, pane,
                                            NULL);
    gtk_tree_view_column_set_sizing(column, GTK_TREE_VIEW_COLUMN_FIXED);
    gtk_tree_view_column_set_fixed_width(column, 9 * titles[kind].width + 12);
    gtk_tree_view_column_set_resizable(column, TRUE);
    gtk_tree_view_column_set_reorderable(column, TRUE);
    gtk_tree_view_column_set_clickable(column, TRUE);
    gtk_tree_view_column_set_alignment(column, is_text ? 0.0f : 1.0f);
    g_signal_connect(column, "clicked", G_CALLBACK(on_header), pane);
    gtk_tree_view_append_column(pane->view, column);
}

static void
finalize(GObject *object)
{
    HpmvizSectionspane *pane = HPMVIZ_SECTIONSPANE(object);

    g_object_unref(pane->model);
    g_object_unref(pane->session);
    G_OBJECT_CLASS(hpmviz_sectionspane_parent_class)->finalize(object);
}

static void
hpmviz_sectionspane_class_init(HpmvizSectionspaneClass *class)
{
    static const char *const names[N_SIGNALS] = {"entered", "opened", "menu"};
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->finalize = finalize;
    for (int i = 0; i < N_SIGNALS; i++)
        signals[i] =
            g_signal_new(names[i], HPMVIZ_TYPE_SECTIONSPANE, G_SIGNAL_RUN_LAST,
                         0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/sectionspane.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane,
                                         filter_entry);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane, scope_box);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane,
                                         tree_button);
    gtk_widget_class_bind_template_child(widget, HpmvizSectionspane, view);
    gtk_widget_class_bind_template_callback(widget, on_filter);
    gtk_widget_class_bind_template_callback(widget, on_scope);
    gtk_widget_class_bind_template_callback(widget, on_tree);
    gtk_widget_class_bind_template_callback(widget, on_button);
    gtk_widget_class_bind_template_callback(widget, on_popup_menu);
    gtk_widget_class_bind_template_callback(widget, on_key);
}

static void
hpmviz_sectionspane_init(HpmvizSectionspane *pane)
{
    gtk_widget_init_template(GTK_WIDGET(pane));
    pane->model = hpmviz_rowmodel_new();
    pane->keys[0] = EXCLUSIVE;
    pane->keys[1] = LABEL;
    pane->is_rising[1] = TRUE;
    for (enum kind kind = 0; kind < N_KINDS; kind++)
        add_column(pane, kind);
    gtk_tree_view_set_fixed_height_mode(pane->view, TRUE);
    gtk_tree_view_set_enable_search(pane->view, FALSE);
    g_signal_connect(gtk_tree_view_get_selection(pane->view), "changed",
                     G_CALLBACK(on_selection), pane);
}

GtkWidget *
hpmviz_sectionspane_new(HpmvizSession *session)
{
    HpmvizSectionspane *pane = g_object_new(HPMVIZ_TYPE_SECTIONSPANE, NULL);

    pane->session = g_object_ref(session);
    hpmviz_columns_remember(pane->view, hpmviz_session_preferences(session),
                            "sections columns");
    g_signal_connect_object(session, "loaded", G_CALLBACK(on_loaded), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(on_viewed), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "selected", G_CALLBACK(show_selection),
                            pane, G_CONNECT_SWAPPED);
    return GTK_WIDGET(pane);
}

void
hpmviz_sectionspane_focus(HpmvizSectionspane *pane)
{
    gtk_widget_grab_focus(GTK_WIDGET(pane->view));
}

void
hpmviz_sectionspane_find(HpmvizSectionspane *pane)
{
    gtk_widget_grab_focus(pane->filter_entry);
}

void
hpmviz_sectionspane_choose_columns(HpmvizSectionspane *pane)
{
    hpmviz_columns_choose(pane->view);
}

/* A line of what is in the columns shown, in their order: the headings, or a
 * row's. */
static void
add_line(const HpmvizSectionspane *pane, size_t subject,
         struct hpm_string *text)
{
    GList *columns = gtk_tree_view_get_columns(pane->view);
    const char *before = "";

    for (GList *at = columns; at != NULL; at = at->next) {
        enum kind kind = kind_of(pane, at->data);
        struct hpm_string raw = {0};

        if (!gtk_tree_view_column_get_visible(at->data))
            continue;
        if (subject == HPM_NO_SUBJECT)
            hpm_string_add(&raw, _(titles[kind].title));
        else if (kind == CALLS && !isnan(calls_of(pane, (guint)subject)))
            hpm_string_add_fixed(&raw, calls_of(pane, (guint)subject), 0);
        else
            add_text(pane, (guint)subject, kind, &raw);
        hpm_string_add(text, before);
        hpm_text_add_safe(text, hpm_string_text(&raw));
        hpm_string_free(&raw);
        before = "\t";
    }
    hpm_string_add(text, "\n");
    g_list_free(columns);
}

void
hpmviz_sectionspane_copy(HpmvizSectionspane *pane)
{
    size_t subject = hpmviz_session_selected(pane->session);
    struct hpm_string text = {0};

    if (hpmviz_session_section(pane->session, subject) == NULL)
        return;
    add_line(pane, HPM_NO_SUBJECT, &text);
    add_line(pane, subject, &text);
    gtk_clipboard_set_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD),
                           hpm_string_text(&text), -1);
    hpm_string_free(&text);
}

void
hpmviz_sectionspane_step(HpmvizSectionspane *pane, int by)
{
    GtkTreeModel *model = GTK_TREE_MODEL(pane->model);
    size_t subject = hpmviz_session_selected(pane->session);
    GtkTreeIter iter;

    if (subject == HPM_NO_SUBJECT ||
        !hpmviz_rowmodel_find(pane->model, (guint)subject, &iter) ||
        !(by > 0 ? gtk_tree_model_iter_next(model, &iter)
                 : gtk_tree_model_iter_previous(model, &iter)))
        return;
    hpmviz_session_select(pane->session, row_at(model, &iter));
}
