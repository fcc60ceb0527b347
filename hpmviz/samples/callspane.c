/* SPDX-License-Identifier: BSD-3-Clause
 * From where a function was called, and what it calls, in samples with callers. */
#include "hpmviz/samples/callspane.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/widgets/rowtip.h"
#include "hpmviz/widgets/safetext.h"
#include "study/hotspot/hotspots.h"

enum { NAME, SAMPLES, SHARE, FUNCTION, MODULE, N_COLUMNS };

enum side { CALLERS, CALLEES, N_SIDES };

struct _HpmvizCallspane {
    GtkBox parent_instance;
    GtkLabel *words;
    GtkTreeView *views[N_SIDES];
    const struct hpm_callgraph *graph;
    guint sampled;
};

G_DEFINE_TYPE(HpmvizCallspane, hpmviz_callspane, GTK_TYPE_BOX)

/* ---- rows ------------------------------------------------------------ */

static const char *
text_of(const struct hpm_callgraph *graph, uint32_t name)
{
    return hpm_names_text(&graph->stacks.names, name);
}

static char *
share_of(guint64 n, guint64 n_all)
{
    return n_all >= HPM_HOTSPOTS_LEAST
               ? g_strdup_printf("%.1f", 100.0 * (double)n / (double)n_all)
               : g_strdup(_("n/a"));
}

static void
add_row(GtkListStore *rows, const struct hpm_callgraph *graph,
        struct hpm_stacks_frame other, guint64 n, guint64 n_all)
{
    char *name = hpmviz_safe_line(text_of(graph, other.name));
    char *share = share_of(n, n_all);

    gtk_list_store_insert_with_values(rows, NULL, -1, NAME, name, SAMPLES, n,
                                      SHARE, share, FUNCTION, other.name,
                                      MODULE, other.module, -1);
    g_free(name);
    g_free(share);
}

static gboolean
is_same(struct hpm_stacks_frame a, struct hpm_stacks_frame b)
{
    return a.name == b.name && a.module == b.module;
}

/* Its calls, most samples first, as the graph has them. */
static void
add_calls(GtkListStore *const rows[N_SIDES], const struct hpm_callgraph *graph,
          const struct hpm_callgraph_entry *function, guint64 n_all)
{
    for (size_t i = 0; i < graph->n_entries; i++) {
        const struct hpm_callgraph_entry *call = &graph->entries[i];

        if (call->sampled != function->sampled || !hpm_callgraph_is_call(call))
            continue;
        if (is_same(call->function, function->function))
            add_row(rows[CALLERS], graph, call->caller, call->n, n_all);
        if (is_same(call->caller, function->function))
            add_row(rows[CALLEES], graph, call->function, call->n, n_all);
    }
}

static void
show_words(HpmvizCallspane *pane, const struct hpm_callgraph_entry *function)
{
    char *name, *text;

    if (function == NULL) {
        gtk_label_set_text(pane->words,
                           _("No sample of this function has a caller."));
        return;
    }
    name = hpmviz_safe_line(text_of(pane->graph, function->function.name));
    text = g_strdup_printf(
        _("%s: %llu samples in it, %llu in it and what it calls"), name,
        (unsigned long long)function->n_self, (unsigned long long)function->n);
    gtk_label_set_text(pane->words, text);
    g_free(name);
    g_free(text);
}

static void
show_entry(HpmvizCallspane *pane, const struct hpm_callgraph_entry *function)
{
    GtkListStore *rows[N_SIDES];
    uint64_t n_all = 0, n_called;

    for (int i = 0; i < N_SIDES; i++)
        rows[i] = gtk_list_store_new(N_COLUMNS, G_TYPE_STRING, G_TYPE_UINT64,
                                     G_TYPE_STRING, G_TYPE_UINT, G_TYPE_UINT);
    if (function != NULL) {
        hpm_stacks_count(&pane->graph->stacks, function->sampled, &n_all,
                         &n_called);
        add_calls(rows, pane->graph, function, n_all);
    }
    show_words(pane, function);
    for (int i = 0; i < N_SIDES; i++) {
        gtk_tree_view_set_model(pane->views[i], GTK_TREE_MODEL(rows[i]));
        g_object_unref(rows[i]);
    }
}

/* ---- which function -------------------------------------------------- */

static const struct hpm_callgraph_entry *
find_frame(const HpmvizCallspane *pane, struct hpm_stacks_frame frame)
{
    for (size_t i = 0; i < pane->graph->n_entries; i++) {
        const struct hpm_callgraph_entry *entry = &pane->graph->entries[i];

        if (entry->sampled == pane->sampled && !hpm_callgraph_is_call(entry) &&
            is_same(entry->function, frame))
            return entry;
    }
    return NULL;
}

static const struct hpm_callgraph_entry *
find_text(const struct hpm_callgraph *graph, guint sampled,
          const char *function, const char *module)
{
    for (size_t i = 0; i < graph->n_entries; i++) {
        const struct hpm_callgraph_entry *entry = &graph->entries[i];

        if (entry->sampled == sampled && !hpm_callgraph_is_call(entry) &&
            strcmp(text_of(graph, entry->function.name), function) == 0 &&
            strcmp(text_of(graph, entry->function.module), module) == 0)
            return entry;
    }
    return NULL;
}

void
hpmviz_callspane_show(HpmvizCallspane *pane, const struct hpm_callgraph *graph,
                      guint sampled, const char *function, const char *module)
{
    pane->graph = graph;
    pane->sampled = sampled;
    gtk_widget_set_visible(GTK_WIDGET(pane), graph != NULL && function != NULL);
    if (graph != NULL && function != NULL)
        show_entry(pane, find_text(graph, sampled, function, module));
}

static void
on_row(GtkTreeView *view, GtkTreePath *path, GtkTreeViewColumn *column,
       gpointer data)
{
    HpmvizCallspane *pane = data;
    GtkTreeModel *rows = gtk_tree_view_get_model(view);
    GtkTreeIter row;
    struct hpm_stacks_frame frame;

    (void)column;
    if (!gtk_tree_model_get_iter(rows, &row, path))
        return;
    gtk_tree_model_get(rows, &row, FUNCTION, &frame.name, MODULE, &frame.module,
                       -1);
    show_entry(pane, find_frame(pane, frame));
}

/* ---- the object ------------------------------------------------------ */

static void
hpmviz_callspane_class_init(HpmvizCallspaneClass *class)
{
    (void)class;
}

static void
add_column(GtkTreeView *view, const char *title, int column)
{
    GtkCellRenderer *cell = gtk_cell_renderer_text_new();
    GtkTreeViewColumn *shown = gtk_tree_view_column_new_with_attributes(
        title, cell, "text", column, NULL);

    if (column == NAME)
        g_object_set(cell, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "width-chars",
                     16, NULL);
    else
        g_object_set(cell, "xalign", 1.0f, NULL);
    gtk_tree_view_column_set_resizable(shown, TRUE);
    gtk_tree_view_column_set_expand(shown, column == NAME);
    gtk_tree_view_append_column(view, shown);
}

static GtkWidget *
make_side(HpmvizCallspane *pane, enum side side)
{
    static const char *const titles[] = {N_("Called by"), N_("Calls")};
    static const char *const names[] = {N_("callers"), N_("called functions")};
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);
    GtkTreeView *view = GTK_TREE_VIEW(gtk_tree_view_new());

    add_column(view, _(titles[side]), NAME);
    add_column(view, _("Samples"), SAMPLES);
    add_column(view, _("Share %"), SHARE);
    atk_object_set_name(gtk_widget_get_accessible(GTK_WIDGET(view)),
                        _(names[side]));
    hpmviz_rowtip_show(view, NAME, -1);
    g_signal_connect(view, "row-activated", G_CALLBACK(on_row), pane);
    gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scroller),
                                               120);
    gtk_container_add(GTK_CONTAINER(scroller), GTK_WIDGET(view));
    pane->views[side] = view;
    return scroller;
}

static void
hpmviz_callspane_init(HpmvizCallspane *pane)
{
    GtkWidget *sides = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);

    gtk_orientable_set_orientation(GTK_ORIENTABLE(pane),
                                   GTK_ORIENTATION_VERTICAL);
    pane->words = GTK_LABEL(gtk_label_new(NULL));
    gtk_label_set_xalign(pane->words, 0.0f);
    gtk_label_set_ellipsize(pane->words, PANGO_ELLIPSIZE_MIDDLE);
    g_object_set(pane->words, "margin", 6, NULL);
    for (int i = 0; i < N_SIDES; i++)
        gtk_box_pack_start(GTK_BOX(sides), make_side(pane, i), TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(pane), GTK_WIDGET(pane->words), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(pane), sides, TRUE, TRUE, 0);
    gtk_widget_show_all(GTK_WIDGET(pane));
    gtk_widget_set_no_show_all(GTK_WIDGET(pane), TRUE);
    gtk_widget_hide(GTK_WIDGET(pane));
}

GtkWidget *
hpmviz_callspane_new(void)
{
    return g_object_new(HPMVIZ_TYPE_CALLSPANE, NULL);
}
