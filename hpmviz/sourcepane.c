/* SPDX-License-Identifier: BSD-3-Clause
 * The source files of the sections, a page each. */
#include "hpmviz/sourcepane.h"

#include <glib/gi18n.h>

#include "hpmviz/heat.h"
#include "hpmviz/notebook.h"
#include "hpmviz/sourcetab.h"

struct _HpmvizSourcepane {
    GtkBox parent_instance;
    HpmvizSession *session;
    GtkNotebook *notebook;
    GtkWidget *placeholder, *search_bar, *search_entry, *search_label;
    GtkSourceSearchContext *search; /* of the page searched in, or NULL */
    gboolean is_following; /* the selection: the caret's doing is ours */
};

G_DEFINE_TYPE(HpmvizSourcepane, hpmviz_sourcepane, GTK_TYPE_BOX)

enum { UPDATED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- pages ----------------------------------------------------------- */

static HpmvizSourcetab *
nth_tab(const HpmvizSourcepane *pane, int i)
{
    GtkWidget *page = gtk_notebook_get_nth_page(pane->notebook, i);

    return page != NULL ? HPMVIZ_SOURCETAB(page) : NULL;
}

static HpmvizSourcetab *
current_tab(const HpmvizSourcepane *pane)
{
    return nth_tab(pane, gtk_notebook_get_current_page(pane->notebook));
}

static GtkSourceBuffer *
buffer_of(const HpmvizSourcetab *tab)
{
    return GTK_SOURCE_BUFFER(
        gtk_text_view_get_buffer(GTK_TEXT_VIEW(hpmviz_sourcetab_view(tab))));
}

static void
tell_update(HpmvizSourcepane *pane)
{
    g_signal_emit(pane, signals[UPDATED], 0);
}

static void
show_title(HpmvizSourcetab *tab, gpointer data)
{
    HpmvizSourcepane *pane = data;
    char *title = hpmviz_sourcetab_title(tab);

    gtk_notebook_set_tab_label_text(pane->notebook, GTK_WIDGET(tab), title);
    gtk_notebook_set_menu_label_text(pane->notebook, GTK_WIDGET(tab), title);
    g_free(title);
    tell_update(pane);
}

/* The caret in a line of another section selects it. */
static void
on_moved(HpmvizSourcetab *tab, gpointer data)
{
    HpmvizSourcepane *pane = data;
    const struct hpm_survey *survey = hpmviz_session_survey(pane->session);
    const struct hpmviz_stretch *stretch;
    struct hpmviz_heat heat;

    if (pane->is_following || survey == NULL)
        return;
    hpmviz_heat_init(&heat, survey, hpmviz_sourcetab_recorded(tab),
                     hpmviz_session_view(pane->session)->scope);
    stretch = hpmviz_heat_at(&heat, hpmviz_sourcetab_line(tab));
    if (stretch != NULL) {
        pane->is_following = TRUE;
        hpmviz_session_select(pane->session, stretch->subject);
        pane->is_following = FALSE;
    }
    hpmviz_heat_clear(&heat);
}

static void follow(HpmvizSourcepane *pane);

static HpmvizSourcetab *
tab_of(HpmvizSourcepane *pane, const char *recorded)
{
    GtkWidget *page;

    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++) {
        HpmvizSourcetab *tab = nth_tab(pane, i);

        if (g_strcmp0(hpmviz_sourcetab_recorded(tab), recorded) == 0)
            return tab;
    }
    page = hpmviz_sourcetab_new(pane->session, recorded);
    gtk_notebook_append_page(pane->notebook, page, NULL);
    gtk_notebook_set_tab_reorderable(pane->notebook, page, TRUE);
    show_title(HPMVIZ_SOURCETAB(page), pane);
    g_signal_connect(page, "titled", G_CALLBACK(show_title), pane);
    g_signal_connect(page, "moved", G_CALLBACK(on_moved), pane);
    g_signal_connect_swapped(page, "located", G_CALLBACK(follow), pane);
    g_signal_connect_object(buffer_of(HPMVIZ_SOURCETAB(page)),
                            "notify::can-undo", G_CALLBACK(tell_update), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(buffer_of(HPMVIZ_SOURCETAB(page)),
                            "notify::can-redo", G_CALLBACK(tell_update), pane,
                            G_CONNECT_SWAPPED);
    return HPMVIZ_SOURCETAB(page);
}

/* ---- the selection --------------------------------------------------- */

static void
follow(HpmvizSourcepane *pane)
{
    const struct hpm_section *section = hpmviz_session_section(
        pane->session, hpmviz_session_selected(pane->session));
    HpmvizSourcetab *tab;

    if (pane->is_following || section == NULL)
        return;
    if (section->file == NULL || *section->file == '\0') {
        gtk_widget_set_visible(pane->placeholder, TRUE);
        return;
    }
    gtk_widget_set_visible(pane->placeholder, FALSE);
    pane->is_following = TRUE;
    tab = tab_of(pane, section->file);
    gtk_notebook_set_current_page(
        pane->notebook, gtk_notebook_page_num(pane->notebook, GTK_WIDGET(tab)));
    hpmviz_sourcetab_go_to(tab, section->line);
    pane->is_following = FALSE;
}

static void
renew(HpmvizSourcepane *pane)
{
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++)
        hpmviz_sourcetab_heat(nth_tab(pane, i));
    follow(pane);
}

/* ---- searching ------------------------------------------------------- */

static void
show_n_found(HpmvizSourcepane *pane)
{
    int n = gtk_source_search_context_get_occurrences_count(pane->search);
    char *text =
        n < 0 ? g_strdup("")
              : g_strdup_printf(
                    ngettext("%d place", "%d places", (unsigned long)n), n);

    gtk_label_set_text(GTK_LABEL(pane->search_label), text);
    g_free(text);
}

/* The search context of the page that is shown now. */
static gboolean
begin_search(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);
    GtkSourceSearchSettings *settings;

    if (tab == NULL)
        return FALSE;
    if (pane->search != NULL &&
        gtk_source_search_context_get_buffer(pane->search) == buffer_of(tab))
        return TRUE;
    g_clear_object(&pane->search);
    settings = gtk_source_search_settings_new();
    gtk_source_search_settings_set_wrap_around(settings, TRUE);
    pane->search = gtk_source_search_context_new(buffer_of(tab), settings);
    g_object_unref(settings);
    g_signal_connect_object(pane->search, "notify::occurrences-count",
                            G_CALLBACK(show_n_found), pane, G_CONNECT_SWAPPED);
    return TRUE;
}

static void
on_search(HpmvizSourcepane *pane)
{
    if (!begin_search(pane))
        return;
    gtk_source_search_settings_set_search_text(
        gtk_source_search_context_get_settings(pane->search),
        gtk_entry_get_text(GTK_ENTRY(pane->search_entry)));
    hpmviz_sourcepane_find_next(pane, TRUE);
}

static void
on_next(HpmvizSourcepane *pane)
{
    hpmviz_sourcepane_find_next(pane, TRUE);
}

static void
on_previous(HpmvizSourcepane *pane)
{
    hpmviz_sourcepane_find_next(pane, FALSE);
}

void
hpmviz_sourcepane_find_next(HpmvizSourcepane *pane, gboolean is_forward)
{
    HpmvizSourcetab *tab = current_tab(pane);
    GtkTextBuffer *buffer;
    GtkTextIter from, to, start, end;
    gboolean is_found;

    if (tab == NULL || !begin_search(pane))
        return;
    buffer = GTK_TEXT_BUFFER(buffer_of(tab));
    gtk_text_buffer_get_selection_bounds(buffer, &from, &to);
    is_found = is_forward
                   ? gtk_source_search_context_forward(pane->search, &to,
                                                       &start, &end, NULL)
                   : gtk_source_search_context_backward(pane->search, &from,
                                                        &start, &end, NULL);
    if (!is_found)
        return;
    gtk_text_buffer_select_range(buffer, &start, &end);
    gtk_text_view_scroll_to_mark(GTK_TEXT_VIEW(hpmviz_sourcetab_view(tab)),
                                 gtk_text_buffer_get_insert(buffer), 0.1, FALSE,
                                 0, 0);
}

void
hpmviz_sourcepane_find(HpmvizSourcepane *pane)
{
    gtk_search_bar_set_search_mode(GTK_SEARCH_BAR(pane->search_bar), TRUE);
    gtk_widget_grab_focus(pane->search_entry);
}

/* ---- commands -------------------------------------------------------- */

void
hpmviz_sourcepane_focus(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL)
        gtk_widget_grab_focus(GTK_WIDGET(hpmviz_sourcetab_view(tab)));
}

void
hpmviz_sourcepane_go_to(HpmvizSourcepane *pane, int line)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL)
        hpmviz_sourcetab_go_to(tab, line);
}

void
hpmviz_sourcepane_undo(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL && gtk_source_buffer_can_undo(buffer_of(tab)))
        gtk_source_buffer_undo(buffer_of(tab));
}

void
hpmviz_sourcepane_redo(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL && gtk_source_buffer_can_redo(buffer_of(tab)))
        gtk_source_buffer_redo(buffer_of(tab));
}

gboolean
hpmviz_sourcepane_save(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab == NULL || hpmviz_sourcetab_save(tab);
}

gboolean
hpmviz_sourcepane_save_all(HpmvizSourcepane *pane)
{
    gboolean is_good = TRUE;

    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++)
        is_good = hpmviz_sourcetab_save(nth_tab(pane, i)) && is_good;
    return is_good;
}

gboolean
hpmviz_sourcepane_is_modified(HpmvizSourcepane *pane)
{
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++) {
        if (hpmviz_sourcetab_is_modified(nth_tab(pane, i)))
            return TRUE;
    }
    return FALSE;
}

/* ---- what there is --------------------------------------------------- */

gboolean
hpmviz_sourcepane_has_page(HpmvizSourcepane *pane)
{
    return current_tab(pane) != NULL;
}

gboolean
hpmviz_sourcepane_is_page_modified(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab != NULL && hpmviz_sourcetab_is_modified(tab);
}

gboolean
hpmviz_sourcepane_can_undo(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab != NULL && gtk_source_buffer_can_undo(buffer_of(tab));
}

gboolean
hpmviz_sourcepane_can_redo(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab != NULL && gtk_source_buffer_can_redo(buffer_of(tab));
}

char **
hpmviz_sourcepane_pages(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *current = current_tab(pane);
    GPtrArray *names = g_ptr_array_new();

    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++) {
        if (nth_tab(pane, i) != current)
            g_ptr_array_add(
                names, g_strdup(hpmviz_sourcetab_recorded(nth_tab(pane, i))));
    }
    if (current != NULL)
        g_ptr_array_add(names, g_strdup(hpmviz_sourcetab_recorded(current)));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

void
hpmviz_sourcepane_add_pages(HpmvizSourcepane *pane, char *const *recorded)
{
    for (; *recorded != NULL; recorded++)
        tab_of(pane, *recorded);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    HpmvizSourcepane *pane = HPMVIZ_SOURCEPANE(object);

    g_clear_object(&pane->search);
    g_clear_object(&pane->session);
    G_OBJECT_CLASS(hpmviz_sourcepane_parent_class)->dispose(object);
}

static void
hpmviz_sourcepane_class_init(HpmvizSourcepaneClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    signals[UPDATED] =
        g_signal_new("updated", HPMVIZ_TYPE_SOURCEPANE, G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 0);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/sourcepane.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane, notebook);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane, placeholder);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane, search_bar);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane,
                                         search_entry);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane,
                                         search_label);
    gtk_widget_class_bind_template_callback(widget, on_search);
    gtk_widget_class_bind_template_callback(widget, on_next);
    gtk_widget_class_bind_template_callback(widget, on_previous);
}

static void
hpmviz_sourcepane_init(HpmvizSourcepane *pane)
{
    gtk_widget_init_template(GTK_WIDGET(pane));
    hpmviz_notebook_prepare(pane->notebook);
    gtk_search_bar_connect_entry(GTK_SEARCH_BAR(pane->search_bar),
                                 GTK_ENTRY(pane->search_entry));
}

GtkWidget *
hpmviz_sourcepane_new(HpmvizSession *session)
{
    HpmvizSourcepane *pane = g_object_new(HPMVIZ_TYPE_SOURCEPANE, NULL);

    pane->session = g_object_ref(session);
    g_signal_connect_object(pane->notebook, "notify::page",
                            G_CALLBACK(tell_update), pane, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "selected", G_CALLBACK(follow), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "loaded", G_CALLBACK(renew), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(renew), pane,
                            G_CONNECT_SWAPPED);
    return GTK_WIDGET(pane);
}
