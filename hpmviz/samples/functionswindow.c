/* SPDX-License-Identifier: BSD-3-Clause
 * The functions with samples. */
#include "hpmviz/samples/functionswindow.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "host/path.h"
#include "hpmviz/samples/callspane.h"
#include "hpmviz/widgets/escape.h"
#include "hpmviz/widgets/restrictionbar.h"
#include "hpmviz/widgets/rowtip.h"
#include "hpmviz/widgets/safetext.h"
#include "study/hotspot/hotspotreport.h"
#include "study/statistics/proportion.h"

/* The last two as the file has them, for other tables to be asked about; the others
 * are shown. */
enum {
    NAME,
    SAMPLES,
    SHARE,
    INTERVAL,
    MODULE,
    LINE,
    FUNCTION,
    FILE_MODULE,
    N_COLUMNS
};

static const struct {
    const char *title, *tooltip;
} titles[] = {
    [NAME] = {N_("Function"), N_("and its lines; Return: the source")},
    [SAMPLES] = {N_("Samples"), NULL},
    [SHARE] = {N_("Share %"), N_("of the samples here")},
    [INTERVAL] = {N_("Interval %"),
                  N_("in which the share lies with 95 % (Wilson)")},
    [MODULE] = {N_("Module"), NULL},
};

struct _HpmvizFunctionswindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    GtkWidget *events, *whole, *words;
    GtkTreeView *view;
    HpmvizCallspane *calls;
    gboolean is_filling;
};

G_DEFINE_TYPE(HpmvizFunctionswindow, hpmviz_functionswindow, GTK_TYPE_WINDOW)

static guint line_chosen;

/* ---- what is shown --------------------------------------------------- */

static const struct hpm_hotspots *
hotspots_of(const HpmvizFunctionswindow *window)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(window->session);

    return loaded != NULL ? loaded->hotspots : NULL;
}

static gboolean
is_of(const struct hpm_hotspots *hotspots, const struct hpm_hotspots_part *part,
      const struct hpm_study_section *section)
{
    if (section == NULL || part->section == HPM_NO_INDEX)
        return section == NULL && part->section == HPM_NO_INDEX;
    return hpm_hotspots_is_same_section(
        section, &hotspots->study->sections[part->section]);
}

/* NULL: it has no samples, or no section is selected. */
static const struct hpm_hotspots_part *
find_part(HpmvizFunctionswindow *window)
{
    const struct hpm_hotspots *hotspots = hotspots_of(window);
    gboolean is_whole =
        gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(window->whole));
    const struct hpm_study_section *section =
        is_whole
            ? NULL
            : hpmviz_session_section(window->session,
                                     hpmviz_session_selected(window->session));
    int event = gtk_combo_box_get_active(GTK_COMBO_BOX(window->events));

    if (!is_whole && section == NULL)
        return NULL;
    for (size_t i = 0; hotspots != NULL && i < hotspots->n_parts; i++) {
        if ((int)hotspots->parts[i].sampled == event &&
            is_of(hotspots, &hotspots->parts[i], section))
            return &hotspots->parts[i];
    }
    return NULL;
}

static void
show_words(HpmvizFunctionswindow *window, const struct hpm_hotspots_part *part)
{
    unsigned long long n = part != NULL ? part->n_taken : 0;
    unsigned long long n_lost = part != NULL ? part->n_lost : 0;
    char *text = g_strdup_printf(
        _("%llu samples, %llu lost%s"), n, n_lost,
        n < HPM_HOTSPOTS_LEAST ? _("; under 30 there is no share") : "");

    gtk_label_set_text(GTK_LABEL(window->words), text);
    g_free(text);
}

/* ---- rows ------------------------------------------------------------ */

/* By function; of one function the place with most samples first. */
static int
compare_places(const void *first, const void *second)
{
    const struct hpm_hotspot *a = *(const struct hpm_hotspot *const *)first;
    const struct hpm_hotspot *b = *(const struct hpm_hotspot *const *)second;
    int order = strcmp(a->name, b->name);

    if (order == 0)
        order = strcmp(a->module, b->module);
    return order != 0 ? order : (b->n > a->n) - (b->n < a->n);
}

static void
set_row(GtkTreeStore *rows, GtkTreeIter *row, const char *name,
        const struct hpm_hotspot *spot, guint64 n, guint64 n_all)
{
    char *safe = hpmviz_safe_line(name);
    char *module = hpmviz_safe_line(spot->module);
    char *share = NULL, *interval = NULL;
    double low, high;

    if (n_all >= HPM_HOTSPOTS_LEAST) {
        hpm_proportion_interval(n, n_all, &low, &high);
        share = g_strdup_printf("%.1f", 100.0 * (double)n / (double)n_all);
        interval = g_strdup_printf(_("%.1f to %.1f"), 100 * low, 100 * high);
    }
    gtk_tree_store_set(rows, row, NAME, safe, SAMPLES, n, SHARE,
                       share != NULL ? share : _("n/a"), INTERVAL,
                       interval != NULL ? interval : _("n/a"), MODULE, module,
                       LINE, spot->line, FUNCTION, spot->name, FILE_MODULE,
                       spot->module, -1);
    g_free(safe);
    g_free(module);
    g_free(share);
    g_free(interval);
}

/* A function of `n` places, its hottest line first. */
static void
add_function(GtkTreeStore *rows, const struct hpm_hotspot *const *places,
             size_t n, guint64 n_all)
{
    GtkTreeIter function, line;
    guint64 sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += places[i]->n;
    gtk_tree_store_append(rows, &function, NULL);
    set_row(rows, &function, places[0]->name, places[0], sum, n_all);
    for (size_t i = 0; i < n; i++) {
        if (places[i]->line[0] == '\0')
            continue;
        gtk_tree_store_append(rows, &line, &function);
        set_row(rows, &line, hpm_path_base_name(places[i]->line), places[i],
                places[i]->n, n_all);
    }
}

static void
add_functions(GtkTreeStore *rows, const struct hpm_hotspots_part *part)
{
    const struct hpm_hotspot **places =
        g_new(const struct hpm_hotspot *, part->n_spots + 1);
    size_t first = 0;

    for (size_t i = 0; i < part->n_spots; i++)
        places[i] = &part->spots[i];
    qsort(places, part->n_spots, sizeof *places, compare_places);
    for (size_t i = 1; i <= part->n_spots; i++) {
        if (i < part->n_spots && places[i]->name == places[first]->name &&
            places[i]->module == places[first]->module)
            continue;
        add_function(rows, places + first, i - first, part->n_taken);
        first = i;
    }
    g_free(places);
}

static void
show(HpmvizFunctionswindow *window)
{
    GtkTreeStore *rows = gtk_tree_store_new(
        N_COLUMNS, G_TYPE_STRING, G_TYPE_UINT64, G_TYPE_STRING, G_TYPE_STRING,
        G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
    const struct hpm_hotspots_part *part = find_part(window);

    if (part != NULL)
        add_functions(rows, part);
    gtk_tree_sortable_set_sort_column_id(GTK_TREE_SORTABLE(rows), SAMPLES,
                                         GTK_SORT_DESCENDING);
    hpmviz_callspane_show(window->calls, NULL, 0, NULL, NULL);
    gtk_tree_view_set_model(window->view, GTK_TREE_MODEL(rows));
    g_object_unref(rows);
    show_words(window, part);
}

/* ---- events ---------------------------------------------------------- */

static void
fill_events(HpmvizFunctionswindow *window)
{
    GtkComboBoxText *events = GTK_COMBO_BOX_TEXT(window->events);
    const struct hpm_hotspots *hotspots = hotspots_of(window);
    size_t n = hotspots != NULL ? hotspots->study->n_sampled : 0;

    window->is_filling = TRUE;
    gtk_combo_box_text_remove_all(events);
    for (size_t i = 0; i < n; i++) {
        struct hpm_string event = {0};
        char *safe;

        hpm_hotspotreport_add_event(&event, hotspots->study, i);
        safe = hpmviz_safe_line(hpm_string_text(&event));
        gtk_combo_box_text_append_text(events, safe);
        g_free(safe);
        hpm_string_free(&event);
    }
    gtk_combo_box_set_active(
        GTK_COMBO_BOX(events),
        hpmviz_preferences_get_int(hpmviz_session_preferences(window->session),
                                   "view", "sampled", 0, n > 0 ? (int)n - 1 : 0,
                                   0));
    window->is_filling = FALSE;
    show(window);
}

static void
on_event(HpmvizFunctionswindow *window)
{
    int event = gtk_combo_box_get_active(GTK_COMBO_BOX(window->events));

    if (window->is_filling || event < 0)
        return;
    hpmviz_preferences_set_int(hpmviz_session_preferences(window->session),
                               "view", "sampled", event);
    show(window);
}

/* ---- calls ----------------------------------------------------------- */

/* NULL: samples have no callers. */
static const struct hpm_callgraph *
callgraph_of(const HpmvizFunctionswindow *window)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(window->session);

    return loaded != NULL && loaded->callgraph.n_entries > 0
               ? &loaded->callgraph
               : NULL;
}

/* Of the whole program, whose callers are known: that a function was called in a
 * section is not. */
static void
on_selected(HpmvizFunctionswindow *window)
{
    GtkTreeSelection *selection = gtk_tree_view_get_selection(window->view);
    const struct hpm_hotspots_part *part = find_part(window);
    GtkTreeModel *rows;
    GtkTreeIter row, function;
    char *name, *module;

    if (!gtk_tree_selection_get_selected(selection, &rows, &row) ||
        part == NULL || part->section != HPM_NO_INDEX) {
        hpmviz_callspane_show(window->calls, NULL, 0, NULL, NULL);
        return;
    }
    if (!gtk_tree_model_iter_parent(rows, &function, &row))
        function = row;
    gtk_tree_model_get(rows, &function, FUNCTION, &name, FILE_MODULE, &module,
                       -1);
    hpmviz_callspane_show(window->calls, callgraph_of(window), part->sampled,
                          name, module);
    g_free(name);
    g_free(module);
}

/* ---- lines ----------------------------------------------------------- */

static void
on_row(HpmvizFunctionswindow *window, GtkTreePath *path)
{
    GtkTreeModel *rows = gtk_tree_view_get_model(window->view);
    GtkTreeIter row;
    char *line, *colon;

    if (!gtk_tree_model_get_iter(rows, &row, path))
        return;
    gtk_tree_model_get(rows, &row, LINE, &line, -1);
    colon = line != NULL ? strrchr(line, ':') : NULL;
    if (colon != NULL) {
        *colon = '\0';
        g_signal_emit(window, line_chosen, 0, line, atoi(colon + 1));
    }
    g_free(line);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    g_clear_object(&HPMVIZ_FUNCTIONSWINDOW(object)->session);
    G_OBJECT_CLASS(hpmviz_functionswindow_parent_class)->dispose(object);
}

static void
hpmviz_functionswindow_class_init(HpmvizFunctionswindowClass *class)
{
    G_OBJECT_CLASS(class)->dispose = dispose;
    line_chosen = g_signal_new("line-chosen", HPMVIZ_TYPE_FUNCTIONSWINDOW,
                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_INT);
    g_signal_new("print", HPMVIZ_TYPE_FUNCTIONSWINDOW, G_SIGNAL_RUN_LAST, 0,
                 NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
add_columns(GtkTreeView *view)
{
    for (int i = NAME; i <= MODULE; i++) {
        GtkCellRenderer *cell = gtk_cell_renderer_text_new();
        GtkTreeViewColumn *column = gtk_tree_view_column_new_with_attributes(
            _(titles[i].title), cell, "text", i, NULL);

        if (i > NAME && i < MODULE)
            g_object_set(cell, "xalign", 1.0f, NULL);
        else
            g_object_set(cell, "ellipsize", PANGO_ELLIPSIZE_MIDDLE,
                         "width-chars", i == NAME ? 30 : 18, NULL);
        gtk_tree_view_column_set_resizable(column, TRUE);
        gtk_tree_view_column_set_expand(column, i == NAME);
        if (i == NAME || i == SAMPLES || i == MODULE)
            gtk_tree_view_column_set_sort_column_id(column, i);
        gtk_tree_view_append_column(view, column);
        if (titles[i].tooltip != NULL)
            gtk_widget_set_tooltip_text(gtk_tree_view_column_get_button(column),
                                        _(titles[i].tooltip));
    }
}

static GtkWidget *
make_tools(HpmvizFunctionswindow *window)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);

    window->events = gtk_combo_box_text_new();
    window->whole = gtk_check_button_new_with_mnemonic(_("_Whole program"));
    window->words = gtk_label_new(NULL);
    atk_object_set_name(gtk_widget_get_accessible(window->events),
                        _("sampled event"));
    gtk_container_set_border_width(GTK_CONTAINER(box), 6);
    gtk_container_add(GTK_CONTAINER(box), window->events);
    gtk_container_add(GTK_CONTAINER(box), window->whole);
    gtk_container_add(GTK_CONTAINER(box), window->words);
    return box;
}

static void
hpmviz_functionswindow_init(HpmvizFunctionswindow *window)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);

    window->view = GTK_TREE_VIEW(gtk_tree_view_new());
    atk_object_set_name(gtk_widget_get_accessible(GTK_WIDGET(window->view)),
                        _("functions"));
    add_columns(window->view);
    hpmviz_rowtip_show(window->view, NAME, MODULE);
    hpmviz_escape_closes(GTK_WIDGET(window));
    gtk_window_set_title(GTK_WINDOW(window), _("Functions"));
    gtk_window_set_default_size(GTK_WINDOW(window), 700, 420);
    gtk_container_add(GTK_CONTAINER(box), make_tools(window));
    gtk_container_add(GTK_CONTAINER(scroller), GTK_WIDGET(window->view));
    gtk_box_pack_start(GTK_BOX(box), scroller, TRUE, TRUE, 0);
    window->calls = HPMVIZ_CALLSPANE(hpmviz_callspane_new());
    gtk_box_pack_start(GTK_BOX(box), GTK_WIDGET(window->calls), FALSE, FALSE,
                       0);
    gtk_container_add(GTK_CONTAINER(window), box);
    gtk_widget_show_all(box);
    g_signal_connect_swapped(window->events, "changed", G_CALLBACK(on_event),
                             window);
    g_signal_connect_swapped(window->whole, "toggled", G_CALLBACK(show),
                             window);
    g_signal_connect_swapped(gtk_tree_view_get_selection(window->view),
                             "changed", G_CALLBACK(on_selected), window);
    g_signal_connect_swapped(window->view, "row-activated", G_CALLBACK(on_row),
                             window);
}

GtkWidget *
hpmviz_functionswindow_new(HpmvizSession *session, GtkWindow *parent)
{
    HpmvizFunctionswindow *window =
        g_object_new(HPMVIZ_TYPE_FUNCTIONSWINDOW, NULL);
    GtkWidget *box = gtk_bin_get_child(GTK_BIN(window));
    GtkWidget *restriction = hpmviz_restrictionbar_new(session);

    gtk_box_pack_start(GTK_BOX(box), restriction, FALSE, FALSE, 0);
    gtk_box_reorder_child(GTK_BOX(box), restriction, 0);
    window->session = g_object_ref(session);
    gtk_window_set_transient_for(GTK_WINDOW(window), parent);
    gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
    g_signal_connect_object(session, "loaded", G_CALLBACK(fill_events), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "selected", G_CALLBACK(show), window,
                            G_CONNECT_SWAPPED);
    fill_events(window);
    return GTK_WIDGET(window);
}

GtkTreeView *
hpmviz_functionswindow_view(const HpmvizFunctionswindow *window)
{
    return window->view;
}
