/* SPDX-License-Identifier: BSD-3-Clause
 * Metrics, call paths and system side by side. */
#include "hpmviz/trees/treeswindow.h"

#include <glib/gi18n.h>

#include "hpmviz/data/treeshare.h"
#include "hpmviz/data/treewords.h"
#include "hpmviz/trees/scalelegend.h"
#include "hpmviz/trees/treepane.h"
#include "hpmviz/trees/treesdialog.h"
#include "hpmviz/widgets/escape.h"
#include "hpmviz/widgets/restrictionbar.h"

struct _HpmvizTreeswindow {
    GtkWindow parent_instance;
    HpmvizSession *session;
    struct hpmviz_trees *trees; /* NULL: nothing is open, or nobody looks */
    HpmvizTreepane *panes[HPMVIZ_N_TREES];
    GtkWidget *modes, *callers, *export_button, *print_button, *words, *legend;
    guint work;                        /* source, or 0 */
    struct hpmviz_treesdialog *dialog; /* its table is being made, or NULL */
    gboolean wants_table;              /* when all is worked out */
    gboolean is_choosing;
};

G_DEFINE_TYPE(HpmvizTreeswindow, hpmviz_treeswindow, GTK_TYPE_WINDOW)

static guint printed;

/* ---- working --------------------------------------------------------- */

static void
show_words(HpmvizTreeswindow *window)
{
    struct hpm_string text = {0};
    g_autofree char *line = NULL;

    for (int i = 0; window->trees != NULL && i < HPMVIZ_N_TREES; i++)
        hpmviz_treewords_add(window->trees, (enum hpmviz_tree)i, &text);
    if (window->trees != NULL && window->trees->paths->options.is_brief)
        hpm_string_add(&text, _("metrics are being worked out"));
    line = g_strdup(hpm_string_text(&text));
    gtk_label_set_text(GTK_LABEL(window->words), g_strchomp(line));
    hpm_string_free(&text);
}

static void
redraw(HpmvizTreeswindow *window)
{
    for (int i = 0; i < HPMVIZ_N_TREES; i++)
        hpmviz_treepane_redraw(window->panes[i]);
    show_words(window);
}

static void
make_table(HpmvizTreeswindow *window)
{
    window->wants_table = FALSE;
    hpmviz_treesdialog_open(GTK_WINDOW(window), window->trees, &window->dialog);
}

/* A piece at a time, so that the window lives on. */
static gboolean
work(gpointer data)
{
    HpmvizTreeswindow *window = data;

    if (hpmviz_trees_work(window->trees))
        return G_SOURCE_CONTINUE;
    window->work = 0;
    gtk_widget_set_sensitive(window->export_button, TRUE);
    gtk_widget_set_sensitive(window->print_button, TRUE);
    redraw(window);
    if (window->wants_table)
        make_table(window);
    return G_SOURCE_REMOVE;
}

/* A table that is being made of values which change now is made again of the new
 * ones. */
static void
give_up_table(HpmvizTreeswindow *window)
{
    window->wants_table |= window->dialog != NULL;
    hpmviz_treesdialog_cancel(&window->dialog);
}

static void
start_work(HpmvizTreeswindow *window)
{
    if (window->work == 0 && window->trees != NULL)
        window->work = g_idle_add(work, window);
    gtk_widget_set_sensitive(window->export_button, FALSE);
    gtk_widget_set_sensitive(window->print_button, FALSE);
    redraw(window);
}

static void
stop_work(HpmvizTreeswindow *window)
{
    give_up_table(window);
    if (window->work != 0)
        g_source_remove(window->work);
    window->work = 0;
}

/* ---- the session's selection ----------------------------------------- */

/* The session selects a section, or a call path, as its view is. */
static gboolean
is_selected(const HpmvizTreeswindow *window, guint path)
{
    size_t selected = hpmviz_session_selected(window->session);
    const struct hpm_study_section *section =
        hpmviz_session_section(window->session, selected);
    size_t subject = window->trees->calls->subjects[path];

    if (section == NULL)
        return FALSE;
    if (hpmviz_session_view(window->session)->is_tree)
        return subject == selected;
    return hpmviz_pathtree_ends_in(window->trees->paths, subject, section);
}

/* Of callers only a topmost node is a section. */
static gboolean
is_candidate(const HpmvizTreeswindow *window, guint node)
{
    const struct hpmviz_pathtree *calls = window->trees->calls;

    return (calls->ends == NULL || calls->parents[node] == HPMVIZ_NO_NODE) &&
           is_selected(window, node);
}

/* The path that is chosen already, if it ends in the section that is selected;
 * else the first that does. */
static guint
find_path(const HpmvizTreeswindow *window)
{
    guint chosen = window->trees->choices[HPMVIZ_TREE_PATHS].node;

    if (chosen != HPMVIZ_NO_NODE && is_selected(window, chosen))
        return chosen;
    for (guint i = 0; i < window->trees->calls->n; i++) {
        if (is_candidate(window, i))
            return i;
    }
    return HPMVIZ_NO_NODE;
}

static guint
find_metric(const HpmvizTreeswindow *window)
{
    size_t quantity = hpmviz_session_metric(window->session);

    if (quantity == HPM_NO_QUANTITY)
        return HPMVIZ_NO_NODE;
    return hpmviz_metrictree_find(
        window->trees->metrics, window->trees->paths,
        hpm_survey_find(
            window->trees->paths,
            hpmviz_session_survey(window->session)->quantities[quantity].name));
}

static void
choose(HpmvizTreeswindow *window, enum hpmviz_tree tree)
{
    give_up_table(window);
    hpmviz_trees_choose(window->trees, tree,
                        hpmviz_treepane_choice(window->panes[tree]));
}

/* What is selected elsewhere is selected here, too. */
static void
follow(HpmvizTreeswindow *window)
{
    const struct hpmviz_selection *selection;
    const struct hpmviz_trees *trees = window->trees;

    if (trees == NULL || window->is_choosing)
        return;
    selection = hpmviz_session_selection(window->session);
    hpmviz_treepane_select(window->panes[HPMVIZ_TREE_METRICS],
                           find_metric(window));
    hpmviz_treepane_select(window->panes[HPMVIZ_TREE_PATHS], find_path(window));
    if (selection->task >= 0)
        hpmviz_treepane_select(window->panes[HPMVIZ_TREE_SYSTEM],
                               hpmviz_systemtree_find(trees->system,
                                                      selection->task,
                                                      selection->tid));
    for (int i = 0; i < HPMVIZ_N_TREES; i++)
        choose(window, (enum hpmviz_tree)i);
    start_work(window);
}

/* The subject of the session's survey that is this call path, or its end. */
static size_t
subject_of(const HpmvizTreeswindow *window, guint path)
{
    const struct hpm_survey *survey = hpmviz_session_survey(window->session);
    guint n;
    size_t subject =
        hpmviz_pathtree_paths(window->trees->calls, path, FALSE, &n)[0];

    if (hpmviz_session_view(window->session)->is_tree)
        return subject;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (hpmviz_pathtree_ends_in(
                window->trees->paths, subject,
                &survey->study->sections[survey->subjects[i].section]))
            return i;
    }
    return HPM_NO_SUBJECT;
}

/* Other windows have inclusive time for the node of times. */
static void
tell_metric(HpmvizTreeswindow *window, struct hpmviz_treechoice choice)
{
    const struct hpmviz_metricnode *node =
        &window->trees->metrics->nodes[choice.node];

    hpmviz_session_select_metric(
        window->session, window->trees->paths->quantities[node->quantity].name);
}

static void
tell(HpmvizTreeswindow *window, enum hpmviz_tree tree,
     struct hpmviz_treechoice choice)
{
    const struct hpmviz_systemnode *place;

    if (choice.node == HPMVIZ_NO_NODE)
        return;
    if (tree == HPMVIZ_TREE_METRICS) {
        tell_metric(window, choice);
    } else if (tree == HPMVIZ_TREE_PATHS) {
        hpmviz_session_select(window->session, subject_of(window, choice.node));
    } else {
        place = &window->trees->system->nodes[choice.node];
        hpmviz_session_select_place(window->session, place->task, place->tid);
    }
}

/* ---- what the user does ---------------------------------------------- */

static void
on_chosen(HpmvizTreeswindow *window, HpmvizTreepane *pane)
{
    int tree = 0;

    while (window->panes[tree] != pane)
        tree++;
    choose(window, (enum hpmviz_tree)tree);
    window->is_choosing = TRUE;
    tell(window, (enum hpmviz_tree)tree, window->trees->choices[tree]);
    window->is_choosing = FALSE;
    start_work(window);
}

static void
on_mode(HpmvizTreeswindow *window)
{
    const char *name =
        gtk_combo_box_get_active_id(GTK_COMBO_BOX(window->modes));

    if (window->trees == NULL || name == NULL)
        return;
    hpmviz_treemode_find(name, &window->trees->mode);
    redraw(window);
}

/* The tree of paths is another one then. */
static void
on_callers(HpmvizTreeswindow *window)
{
    if (window->trees == NULL)
        return;
    stop_work(window);
    hpmviz_treepane_set(window->panes[HPMVIZ_TREE_PATHS], NULL);
    hpmviz_trees_set_callers(
        window->trees,
        gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(window->callers)));
    hpmviz_treepane_set(window->panes[HPMVIZ_TREE_PATHS], window->trees);
    follow(window);
}

/* In the tree with the focus; else in that of call paths. */
static HpmvizTreepane *
current_pane(const HpmvizTreeswindow *window)
{
    for (int i = 0; i < HPMVIZ_N_TREES; i++) {
        if (hpmviz_treepane_has_focus(window->panes[i]))
            return window->panes[i];
    }
    return window->panes[HPMVIZ_TREE_PATHS];
}

static void
on_hottest(HpmvizTreeswindow *window)
{
    hpmviz_treepane_open_hottest(current_pane(window));
}

static void
on_export(HpmvizTreeswindow *window)
{
    if (window->trees == NULL || window->dialog != NULL)
        return;
    window->wants_table = TRUE;
    if (window->work == 0)
        make_table(window);
}

static void
on_print(HpmvizTreeswindow *window)
{
    g_signal_emit(window, printed, 0);
}

const struct hpmviz_trees *
hpmviz_treeswindow_trees(const HpmvizTreeswindow *window)
{
    return window->work == 0 ? window->trees : NULL;
}

/* The next tree, or the one before, from the one with the focus on. */
static void
go_on(HpmvizTreeswindow *window, int by)
{
    int at = 0;

    while (at < HPMVIZ_N_TREES && !hpmviz_treepane_has_focus(window->panes[at]))
        at++;
    if (at == HPMVIZ_N_TREES)
        at = by > 0 ? HPMVIZ_N_TREES - 1 : 0;
    hpmviz_treepane_focus(
        window->panes[(at + by + HPMVIZ_N_TREES) % HPMVIZ_N_TREES]);
}

static gboolean
on_key(HpmvizTreeswindow *window, const GdkEventKey *event)
{
    if (event->keyval == GDK_KEY_F8)
        on_hottest(window);
    else if (event->keyval == GDK_KEY_F6)
        go_on(window, (event->state & GDK_SHIFT_MASK) ? -1 : 1);
    else if ((event->state & GDK_CONTROL_MASK) && event->keyval == GDK_KEY_f)
        hpmviz_treepane_find(current_pane(window));
    else if ((event->state & GDK_CONTROL_MASK) && event->keyval == GDK_KEY_e)
        on_export(window);
    else
        return FALSE;
    return TRUE;
}

/* ---- what is shown --------------------------------------------------- */

/* There is another run only in a comparison. */
static void
list_modes(HpmvizTreeswindow *window)
{
    static const char *const words[HPMVIZ_TREE_N_MODES] = {
        N_("Values"), N_("Per cent of the root"),
        N_("Per cent of the selection"), N_("Per cent of the reference")};
    GtkComboBoxText *box = GTK_COMBO_BOX_TEXT(window->modes);
    gboolean is_change =
        window->trees != NULL && hpm_survey_is_difference(window->trees->paths);
    g_autofree char *before =
        g_strdup(gtk_combo_box_get_active_id(GTK_COMBO_BOX(box)));

    gtk_combo_box_text_remove_all(box);
    for (int i = 0; i < HPMVIZ_TREE_N_MODES; i++) {
        if (i != HPMVIZ_TREE_OF_PEER || is_change)
            gtk_combo_box_text_append(
                box, hpmviz_treemode_name((enum hpmviz_treemode)i),
                _(words[i]));
    }
    if (before == NULL ||
        !gtk_combo_box_set_active_id(GTK_COMBO_BOX(box), before))
        gtk_combo_box_set_active(GTK_COMBO_BOX(box), 0);
    hpmviz_scalelegend_set(window->legend, is_change);
}

static void
forget(HpmvizTreeswindow *window)
{
    stop_work(window);
    for (int i = 0; i < HPMVIZ_N_TREES; i++)
        hpmviz_treepane_set(window->panes[i], NULL);
    g_clear_pointer(&window->trees, hpmviz_trees_free);
}

/* The callers of more paths would be found while the window stands still. */
enum { MOST_PATHS_OF_CALLERS = 20000 };

static void
restore_callers(HpmvizTreeswindow *window)
{
    gboolean can_be = window->trees != NULL &&
                      window->trees->forward->n <= MOST_PATHS_OF_CALLERS;

    gtk_widget_set_sensitive(window->callers, can_be);
    if (can_be &&
        gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(window->callers)))
        hpmviz_trees_set_callers(window->trees, TRUE);
}

/* Trees are made only for a window that somebody sees. */
static void
renew(HpmvizTreeswindow *window)
{
    forget(window);
    if (gtk_widget_get_visible(GTK_WIDGET(window)))
        window->trees = hpmviz_trees_new(window->session);
    if (window->trees == NULL)
        window->wants_table = FALSE;
    if (!gtk_widget_get_visible(GTK_WIDGET(window)))
        return;
    restore_callers(window);
    for (int i = 0; i < HPMVIZ_N_TREES; i++)
        hpmviz_treepane_set(window->panes[i], window->trees);
    list_modes(window);
    follow(window);
}

/* Another scope has other trees, another precision other verdicts; else the list of
 * the main window is looked at in another way. */
static void
on_viewed(HpmvizTreeswindow *window)
{
    const struct hpmviz_view *view = hpmviz_session_view(window->session);
    struct hpmviz_trees *trees = window->trees;

    if (trees == NULL || trees->scope != view->scope ||
        trees->precision != view->precision) {
        renew(window);
        return;
    }
    trees->palette = view->palette;
    redraw(window);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizTreeswindow *window = HPMVIZ_TREESWINDOW(object);

    if (window->session != NULL)
        forget(window);
    g_clear_object(&window->session);
    G_OBJECT_CLASS(hpmviz_treeswindow_parent_class)->dispose(object);
}

static void
hpmviz_treeswindow_class_init(HpmvizTreeswindowClass *class)
{
    G_OBJECT_CLASS(class)->dispose = dispose;
    printed = g_signal_new("print", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST,
                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
pack_panes(HpmvizTreeswindow *window)
{
    GtkWidget *outer = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);
    GtkWidget *inner = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);

    for (int i = 0; i < HPMVIZ_N_TREES; i++) {
        GtkWidget *pane = hpmviz_treepane_new((enum hpmviz_tree)i);

        window->panes[i] = HPMVIZ_TREEPANE(pane);
        g_signal_connect_swapped(pane, "chosen", G_CALLBACK(on_chosen), window);
    }
    gtk_paned_pack1(GTK_PANED(outer), GTK_WIDGET(window->panes[0]), TRUE,
                    FALSE);
    gtk_paned_pack2(GTK_PANED(outer), inner, TRUE, FALSE);
    gtk_paned_pack1(GTK_PANED(inner), GTK_WIDGET(window->panes[1]), TRUE,
                    FALSE);
    gtk_paned_pack2(GTK_PANED(inner), GTK_WIDGET(window->panes[2]), TRUE,
                    FALSE);
    gtk_paned_set_position(GTK_PANED(outer), 380);
    gtk_paned_set_position(GTK_PANED(inner), 320);
    return outer;
}

static GtkWidget *
make_tools(HpmvizTreeswindow *window)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *hottest = gtk_button_new_with_mnemonic(_("_Hottest path"));

    window->modes = gtk_combo_box_text_new();
    window->callers = gtk_toggle_button_new_with_mnemonic(_("_Callers"));
    gtk_widget_set_tooltip_text(
        window->callers,
        _("sections, each with what it was called from below it; values are "
          "the section's own; of up to 20,000 call paths"));
    atk_object_set_name(gtk_widget_get_accessible(window->modes),
                        _("what values are shown as"));
    gtk_widget_set_tooltip_text(
        hottest, _("opens the way to where most is, in the tree with the "
                   "keyboard (F8)"));
    g_object_set(box, "margin", 6, NULL);
    gtk_container_add(GTK_CONTAINER(box), window->modes);
    gtk_container_add(GTK_CONTAINER(box), hottest);
    gtk_container_add(GTK_CONTAINER(box), window->callers);
    g_signal_connect_swapped(window->callers, "toggled", G_CALLBACK(on_callers),
                             window);
    g_signal_connect_swapped(window->modes, "changed", G_CALLBACK(on_mode),
                             window);
    window->export_button = gtk_button_new_with_mnemonic(_("_Export as CSV…"));
    window->print_button = gtk_button_new_with_mnemonic(_("_Print…"));
    gtk_box_pack_end(GTK_BOX(box), window->export_button, FALSE, FALSE, 0);
    gtk_box_pack_end(GTK_BOX(box), window->print_button, FALSE, FALSE, 0);
    g_signal_connect_swapped(hottest, "clicked", G_CALLBACK(on_hottest),
                             window);
    g_signal_connect_swapped(window->export_button, "clicked",
                             G_CALLBACK(on_export), window);
    g_signal_connect_swapped(window->print_button, "clicked",
                             G_CALLBACK(on_print), window);
    return box;
}

static GtkWidget *
make_words(HpmvizTreeswindow *window)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);

    window->words = gtk_label_new("");
    window->legend = hpmviz_scalelegend_new();
    gtk_label_set_xalign(GTK_LABEL(window->words), 0.0f);
    gtk_label_set_lines(GTK_LABEL(window->words), HPMVIZ_N_TREES + 1);
    gtk_label_set_ellipsize(GTK_LABEL(window->words), PANGO_ELLIPSIZE_END);
    gtk_label_set_selectable(GTK_LABEL(window->words), TRUE);
    g_object_set(box, "margin", 6, NULL);
    gtk_container_add(GTK_CONTAINER(box), window->legend);
    gtk_container_add(GTK_CONTAINER(box), window->words);
    return box;
}

static void
hpmviz_treeswindow_init(HpmvizTreeswindow *window)
{
    gtk_window_set_title(GTK_WINDOW(window), _("Trees"));
    gtk_window_set_default_size(GTK_WINDOW(window), 1000, 560);
}

GtkWidget *
hpmviz_treeswindow_new(HpmvizSession *session, GtkWindow *parent)
{
    static const char *const renewed[] = {"loaded", "surveyed"};
    static const char *const followed[] = {"metric", "selected", "place"};
    HpmvizTreeswindow *window =
        g_object_new(HPMVIZ_TYPE_TREESWINDOW, "transient-for", parent,
                     "destroy-with-parent", TRUE, NULL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

    window->session = g_object_ref(session);
    gtk_box_pack_start(GTK_BOX(box), hpmviz_restrictionbar_new(session), FALSE,
                       FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), make_tools(window), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), pack_panes(window), TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(box), make_words(window), FALSE, FALSE, 0);
    gtk_container_add(GTK_CONTAINER(window), box);
    gtk_widget_show_all(box);
    for (size_t i = 0; i < G_N_ELEMENTS(renewed); i++)
        g_signal_connect_object(session, renewed[i], G_CALLBACK(renew), window,
                                G_CONNECT_SWAPPED);
    for (size_t i = 0; i < G_N_ELEMENTS(followed); i++)
        g_signal_connect_object(session, followed[i], G_CALLBACK(follow),
                                window, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(on_viewed), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_after(window, "show", G_CALLBACK(renew), NULL);
    g_signal_connect(window, "key-press-event", G_CALLBACK(on_key), NULL);
    hpmviz_escape_closes(GTK_WIDGET(window));
    return GTK_WIDGET(window);
}
