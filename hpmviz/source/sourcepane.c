/* SPDX-License-Identifier: BSD-3-Clause
 * The source files of the sections, a page each. */
#include "hpmviz/source/sourcepane.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/string.h"
#include "hpmviz/data/sources.h"
#include "hpmviz/source/editordialog.h"
#include "hpmviz/source/findbar.h"
#include "hpmviz/source/heat.h"
#include "hpmviz/source/history.h"
#include "hpmviz/source/sourcetab.h"
#include "hpmviz/widgets/notebook.h"
#include "hpmviz/widgets/safetext.h"

struct _HpmvizSourcepane {
    GtkBox parent_instance;
    HpmvizSession *session;
    GtkNotebook *notebook;
    GtkWidget *placeholder;
    HpmvizFindbar *find_bar;
    struct hpmviz_history *history;
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
    return hpmviz_document_buffer(hpmviz_sourcetab_document(tab));
}

static void
tell_update(HpmvizSourcepane *pane)
{
    g_signal_emit(pane, signals[UPDATED], 0);
}

static void
show_title(HpmvizSourcepane *pane, HpmvizSourcetab *tab, const GPtrArray *names)
{
    char *title = hpmviz_sourcetab_title(tab, names);
    const char *path = hpmviz_document_path(hpmviz_sourcetab_document(tab));
    GtkWidget *box =
        gtk_notebook_get_tab_label(pane->notebook, GTK_WIDGET(tab));
    GtkWidget *label = g_object_get_data(G_OBJECT(box), "title");

    gtk_label_set_text(GTK_LABEL(label), title);
    gtk_widget_set_tooltip_text(
        box, path != NULL ? path : hpmviz_sourcetab_recorded(tab));
    gtk_notebook_set_menu_label_text(pane->notebook, GTK_WIDGET(tab), title);
    g_free(title);
}

/* One more of a name changes those of the others. */
static void
show_titles(HpmvizSourcepane *pane)
{
    int n = gtk_notebook_get_n_pages(pane->notebook);
    GPtrArray *names = g_ptr_array_new();

    for (int i = 0; i < n; i++)
        g_ptr_array_add(names,
                        (gpointer)hpmviz_sourcetab_name(nth_tab(pane, i)));
    for (int i = 0; i < n; i++)
        show_title(pane, nth_tab(pane, i), names);
    g_ptr_array_unref(names);
    tell_update(pane);
}

/* ---- without a source ------------------------------------------------- */

static gboolean
has_no_file(const struct hpm_study_section *section)
{
    return section != NULL && (section->file == NULL || *section->file == '\0');
}

static void
show_placeholder(HpmvizSourcepane *pane)
{
    const struct hpm_study_section *section = hpmviz_session_section(
        pane->session, hpmviz_session_selected(pane->session));

    gtk_label_set_text(
        GTK_LABEL(pane->placeholder),
        has_no_file(section)
            ? _("This section names no source file. The whole run of a program "
                "has none; to see where in the source its time goes, measure "
                "functions (hpmcount --functions or --section), or mark lines "
                "(hpmTstart).")
            : _("The source of a section is shown here."));
    gtk_widget_set_visible(pane->placeholder, TRUE);
}

/* ---- closing --------------------------------------------------------- */

static void
close_page(HpmvizSourcepane *pane, GtkWidget *page)
{
    hpmviz_notebook_close(pane->notebook, page);
    if (gtk_notebook_get_n_pages(pane->notebook) == 0)
        show_placeholder(pane);
    show_titles(pane);
}

/* A page that waits until it is saved. */
struct awaiting {
    HpmvizSourcepane *pane;
    HpmvizSourcetab *tab;
};

static struct awaiting *
new_awaiting(HpmvizSourcepane *pane, HpmvizSourcetab *tab)
{
    struct awaiting *awaiting = g_new(struct awaiting, 1);

    awaiting->pane = g_object_ref(pane);
    awaiting->tab = g_object_ref(tab);
    return awaiting;
}

static void
free_awaiting(struct awaiting *awaiting)
{
    g_object_unref(awaiting->tab);
    g_object_unref(awaiting->pane);
    g_free(awaiting);
}

/* It may have gone by itself. */
static gboolean
is_there(const struct awaiting *awaiting)
{
    return gtk_widget_is_ancestor(GTK_WIDGET(awaiting->tab),
                                  GTK_WIDGET(awaiting->pane));
}

static void
close_if_saved(gboolean is_saved, gpointer data)
{
    struct awaiting *awaiting = data;

    if (is_saved && is_there(awaiting))
        close_page(awaiting->pane, GTK_WIDGET(awaiting->tab));
    free_awaiting(awaiting);
}

static void
on_close_answer(GtkDialog *dialog, int response, gpointer data)
{
    g_autoptr(HpmvizSourcetab) tab =
        g_object_ref(g_object_get_data(G_OBJECT(dialog), "tab"));

    gtk_widget_destroy(GTK_WIDGET(dialog));
    if (response == GTK_RESPONSE_YES) {
        hpmviz_sourcetab_save(tab, close_if_saved, new_awaiting(data, tab));
    } else if (response == GTK_RESPONSE_NO) {
        hpmviz_document_forget(hpmviz_sourcetab_document(tab));
        close_page(data, GTK_WIDGET(tab));
    }
}

static void close_tab(HpmvizSourcepane *pane, HpmvizSourcetab *tab);

static void
close_settled(gboolean is_saved, gpointer data)
{
    struct awaiting *awaiting = data;

    (void)is_saved;
    if (is_there(awaiting))
        close_tab(awaiting->pane, awaiting->tab);
    free_awaiting(awaiting);
}

/* Nothing is lost that is wanted. */
static void
close_tab(HpmvizSourcepane *pane, HpmvizSourcetab *tab)
{
    HpmvizDocument *document = hpmviz_sourcetab_document(tab);
    GtkWidget *dialog;

    if (hpmviz_sourcetab_is_saving(tab)) {
        hpmviz_sourcetab_settle(tab, close_settled, new_awaiting(pane, tab));
        return;
    }
    if (!hpmviz_document_is_modified(document)) {
        close_page(pane, GTK_WIDGET(tab));
        return;
    }
    dialog = gtk_message_dialog_new(
        GTK_WINDOW(gtk_widget_get_toplevel(GTK_WIDGET(tab))),
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION,
        GTK_BUTTONS_NONE, _("Save the changes to %s?"),
        hpmviz_document_path(document));
    gtk_dialog_add_buttons(GTK_DIALOG(dialog), _("Close _without saving"),
                           GTK_RESPONSE_NO, _("_Cancel"), GTK_RESPONSE_CANCEL,
                           _("_Save"), GTK_RESPONSE_YES, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_object_set_data_full(G_OBJECT(dialog), "tab", g_object_ref(tab),
                           g_object_unref);
    g_signal_connect(dialog, "response", G_CALLBACK(on_close_answer), pane);
    gtk_widget_show(dialog);
}

static void
on_close(GtkButton *button, gpointer data)
{
    close_tab(data, g_object_get_data(G_OBJECT(button), "tab"));
}

static GtkWidget *
label_of(HpmvizSourcepane *pane, GtkWidget *tab)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
    GtkWidget *label = gtk_label_new(NULL);
    GtkWidget *button = gtk_button_new_from_icon_name("window-close-symbolic",
                                                      GTK_ICON_SIZE_MENU);

    gtk_button_set_relief(GTK_BUTTON(button), GTK_RELIEF_NONE);
    gtk_widget_set_focus_on_click(button, FALSE);
    gtk_widget_set_tooltip_text(button, _("Close (Ctrl+F4)"));
    atk_object_set_name(gtk_widget_get_accessible(button),
                        _("close this source"));
    g_object_set_data(G_OBJECT(button), "tab", tab);
    g_signal_connect(button, "clicked", G_CALLBACK(on_close), pane);
    gtk_container_add(GTK_CONTAINER(box), label);
    gtk_container_add(GTK_CONTAINER(box), button);
    g_object_set_data(G_OBJECT(box), "title", label);
    gtk_widget_show_all(box);
    return box;
}

/* ---- opening pages --------------------------------------------------- */

/* The caret in a line of another section selects it. */
static void
on_moved(HpmvizSourcetab *tab, gpointer data)
{
    HpmvizSourcepane *pane = data;
    size_t subject = hpmviz_sourcetab_subject(tab);

    if (pane->is_following || subject == HPM_NO_SUBJECT)
        return;
    pane->is_following = TRUE;
    hpmviz_session_select(pane->session, subject);
    pane->is_following = FALSE;
    hpmviz_sourcetab_mark_section(tab);
}

static void
retry_all(HpmvizSourcepane *pane)
{
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++)
        hpmviz_sourcetab_retry(nth_tab(pane, i));
}

static void follow(HpmvizSourcepane *pane);

static void
on_located(HpmvizSourcepane *pane)
{
    retry_all(pane);
    follow(pane);
}

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
    gtk_notebook_append_page(pane->notebook, page, label_of(pane, page));
    gtk_notebook_set_tab_reorderable(pane->notebook, page, TRUE);
    show_titles(pane);
    hpmviz_sourcetab_heat(HPMVIZ_SOURCETAB(page));
    g_signal_connect_swapped(page, "titled", G_CALLBACK(show_titles), pane);
    g_signal_connect(page, "moved", G_CALLBACK(on_moved), pane);
    g_signal_connect_swapped(page, "located", G_CALLBACK(on_located), pane);
    g_signal_connect_object(buffer_of(HPMVIZ_SOURCETAB(page)),
                            "notify::can-undo", G_CALLBACK(tell_update), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(buffer_of(HPMVIZ_SOURCETAB(page)),
                            "notify::can-redo", G_CALLBACK(tell_update), pane,
                            G_CONNECT_SWAPPED);
    return HPMVIZ_SOURCETAB(page);
}

static HpmvizSourcetab *
show_tab(HpmvizSourcepane *pane, const char *recorded)
{
    HpmvizSourcetab *tab = tab_of(pane, recorded);

    gtk_widget_set_visible(pane->placeholder, FALSE);
    gtk_notebook_set_current_page(
        pane->notebook, gtk_notebook_page_num(pane->notebook, GTK_WIDGET(tab)));
    return tab;
}

static void
on_page(HpmvizSourcepane *pane, GtkWidget *page)
{
    hpmviz_findbar_set_view(pane->find_bar,
                            hpmviz_sourcetab_view(HPMVIZ_SOURCETAB(page)));
}

/* ---- places ---------------------------------------------------------- */

static void
remember_place(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab == NULL)
        return;
    hpmviz_history_visit(pane->history, hpmviz_sourcetab_recorded(tab),
                         hpmviz_sourcetab_line(tab));
    tell_update(pane);
}

gboolean
hpmviz_sourcepane_can_travel(HpmvizSourcepane *pane, int by)
{
    return hpmviz_history_can_go(pane->history, by);
}

void
hpmviz_sourcepane_travel(HpmvizSourcepane *pane, int by)
{
    const struct hpmviz_visit *place = hpmviz_history_go(pane->history, by);

    if (place == NULL)
        return;
    hpmviz_sourcetab_go_to(show_tab(pane, place->file), place->line);
    g_signal_emit(pane, signals[UPDATED], 0);
}

/* The name that sections have of the file, where one is in it: of several that with
 * most folders in common. */
static const char *
recorded_name(HpmvizSourcepane *pane, const char *file)
{
    const struct hpm_study *study = hpmviz_session_loaded(pane->session)->study;

    const char *best = file;
    size_t most = 0;

    for (size_t i = 0; i < study->n_sections; i++) {
        const char *recorded = study->sections[i].file;
        size_t n =
            recorded != NULL ? hpmviz_sources_common_end(file, recorded) : 0;

        if (n > most) {
            most = n;
            best = recorded;
        }
    }
    return best;
}

void
hpmviz_sourcepane_show_line(HpmvizSourcepane *pane, const char *file, int line)
{
    HpmvizSourcetab *tab;

    if (hpmviz_session_loaded(pane->session) == NULL)
        return;
    remember_place(pane);
    pane->is_following = TRUE;
    tab = show_tab(pane, recorded_name(pane, file));
    hpmviz_sourcetab_go_to(
        tab, hpmviz_document_now(hpmviz_sourcetab_document(tab), line));
    pane->is_following = FALSE;
    remember_place(pane);
}

/* ---- the selection --------------------------------------------------- */

static void
follow(HpmvizSourcepane *pane)
{
    const struct hpm_study_section *section = hpmviz_session_section(
        pane->session, hpmviz_session_selected(pane->session));

    if (pane->is_following || section == NULL)
        return;
    if (has_no_file(section)) {
        show_placeholder(pane);
        return;
    }
    pane->is_following = TRUE;
    remember_place(pane);
    hpmviz_sourcetab_show_section(show_tab(pane, section->file));
    remember_place(pane);
    pane->is_following = FALSE;
}

static void
renew(HpmvizSourcepane *pane)
{
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++)
        hpmviz_sourcetab_heat(nth_tab(pane, i));
    follow(pane);
}

/* Other files may have been opened, from folders of their own. */
static void
on_loaded(HpmvizSourcepane *pane)
{
    retry_all(pane);
    renew(pane);
}

/* The values by which the list is sorted at first. */
static double *
exclusive_times(HpmvizSession *session, const struct hpm_survey *survey)
{
    double *values = g_new(double, survey->n_subjects + 1);
    int scope = hpmviz_session_view(session)->scope;
    size_t quantity = 0;

    while (quantity < survey->n_quantities &&
           survey->quantities[quantity].kind != HPM_QUANTITY_EXCLUSIVE)
        quantity++;
    for (size_t i = 0; i < survey->n_subjects; i++)
        values[i] = hpmviz_session_section(session, i)->scope == scope
                        ? hpmviz_session_value(session, i, quantity)
                        : NAN;
    return values;
}

void
hpmviz_sourcepane_step(HpmvizSourcepane *pane, int by)
{
    const struct hpm_survey *survey = hpmviz_session_survey(pane->session);
    double *values;
    size_t next;

    if (survey == NULL)
        return;
    values = exclusive_times(pane->session, survey);
    next = hpmviz_heat_step(values, survey->n_subjects,
                            hpmviz_session_selected(pane->session), by);
    if (next != SIZE_MAX)
        hpmviz_session_select(pane->session, next);
    g_free(values);
}

void
hpmviz_sourcepane_step_line(HpmvizSourcepane *pane, int by)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL)
        hpmviz_sourcetab_step_line(tab, by);
}

gboolean
hpmviz_sourcepane_has_samples(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab != NULL && hpmviz_sourcetab_has_samples(tab);
}

/* ---- finding --------------------------------------------------------- */

void
hpmviz_sourcepane_find_next(HpmvizSourcepane *pane, gboolean is_forward)
{
    hpmviz_findbar_step(pane->find_bar, is_forward);
}

void
hpmviz_sourcepane_find(HpmvizSourcepane *pane)
{
    hpmviz_findbar_open(pane->find_bar);
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

    if (tab == NULL)
        return;
    remember_place(pane);
    hpmviz_sourcetab_go_to(tab, line);
    remember_place(pane);
}

int
hpmviz_sourcepane_n_lines(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab != NULL
               ? gtk_text_buffer_get_line_count(GTK_TEXT_BUFFER(buffer_of(tab)))
               : 0;
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

void
hpmviz_sourcepane_save(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL)
        hpmviz_sourcetab_save(tab, NULL, NULL);
}

void
hpmviz_sourcepane_save_as(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL)
        hpmviz_sourcetab_save_as(tab);
}

/* All of several pages. */
struct saving_all {
    int n_left;
    gboolean are_saved;
    hpmviz_saving_done *done;
    gpointer data;
};

static void
end_one(gboolean is_saved, gpointer data)
{
    struct saving_all *all = data;

    all->are_saved = all->are_saved && is_saved;
    if (--all->n_left > 0)
        return;
    all->done(all->are_saved, all->data);
    g_free(all);
}

/* It does not end before each page was asked. */
static void
ask_all(HpmvizSourcepane *pane,
        void (*ask)(HpmvizSourcetab *, hpmviz_saving_done *, gpointer),
        hpmviz_saving_done *done, gpointer data)
{
    struct saving_all *all = g_new(struct saving_all, 1);

    *all = (struct saving_all){
        .n_left = 1, .are_saved = TRUE, .done = done, .data = data};
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++) {
        all->n_left++;
        ask(nth_tab(pane, i), end_one, all);
    }
    end_one(TRUE, all);
}

void
hpmviz_sourcepane_save_all(HpmvizSourcepane *pane, hpmviz_saving_done *done,
                           gpointer data)
{
    ask_all(pane, hpmviz_sourcetab_save, done, data);
}

gboolean
hpmviz_sourcepane_is_saving(HpmvizSourcepane *pane)
{
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++) {
        if (hpmviz_sourcetab_is_saving(nth_tab(pane, i)))
            return TRUE;
    }
    return FALSE;
}

void
hpmviz_sourcepane_settle(HpmvizSourcepane *pane, hpmviz_saving_done *done,
                         gpointer data)
{
    ask_all(pane, hpmviz_sourcetab_settle, done, data);
}

gboolean
hpmviz_sourcepane_is_modified(HpmvizSourcepane *pane)
{
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++) {
        if (hpmviz_document_is_modified(
                hpmviz_sourcetab_document(nth_tab(pane, i))))
            return TRUE;
    }
    return FALSE;
}

char *
hpmviz_sourcepane_modified_names(HpmvizSourcepane *pane)
{
    struct hpm_string names = {0};

    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++) {
        const HpmvizDocument *document =
            hpmviz_sourcetab_document(nth_tab(pane, i));

        if (!hpmviz_document_is_modified(document))
            continue;
        if (names.length > 0)
            hpm_string_add_char(&names, '\n');
        hpm_string_add_safe(&names, hpmviz_document_path(document));
    }
    return hpmviz_safe_take(&names);
}

void
hpmviz_sourcepane_forget_all(HpmvizSourcepane *pane)
{
    for (int i = 0; i < gtk_notebook_get_n_pages(pane->notebook); i++)
        hpmviz_document_forget(hpmviz_sourcetab_document(nth_tab(pane, i)));
}

void
hpmviz_sourcepane_close(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL)
        close_tab(pane, tab);
}

static void
tell_failure(const char *sentence, gpointer data)
{
    hpmviz_sourcetab_tell(data, sentence);
}

static void
open_editor_if_saved(gboolean is_saved, gpointer data)
{
    struct awaiting *awaiting = data;
    HpmvizSourcepane *pane = awaiting->pane;
    HpmvizSourcetab *tab = awaiting->tab;

    if (is_saved && is_there(awaiting) &&
        hpmviz_document_path(hpmviz_sourcetab_document(tab)) != NULL)
        hpmviz_editordialog_open(
            GTK_WINDOW(gtk_widget_get_toplevel(GTK_WIDGET(pane))),
            hpmviz_session_preferences(pane->session),
            hpmviz_sourcetab_document(tab), hpmviz_sourcetab_line(tab),
            tell_failure, tab);
    free_awaiting(awaiting);
}

/* An editor would show the file without what is not saved. */
void
hpmviz_sourcepane_open_editor(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    if (tab != NULL)
        hpmviz_sourcetab_save(tab, open_editor_if_saved,
                              new_awaiting(pane, tab));
}

/* ---- what there is --------------------------------------------------- */

gboolean
hpmviz_sourcepane_has_page(HpmvizSourcepane *pane)
{
    return current_tab(pane) != NULL;
}

gboolean
hpmviz_sourcepane_has_file(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab != NULL &&
           hpmviz_document_path(hpmviz_sourcetab_document(tab)) != NULL;
}

gboolean
hpmviz_sourcepane_is_page_modified(HpmvizSourcepane *pane)
{
    HpmvizSourcetab *tab = current_tab(pane);

    return tab != NULL &&
           hpmviz_document_is_modified(hpmviz_sourcetab_document(tab));
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

    if (pane->find_bar != NULL)
        hpmviz_findbar_set_view(pane->find_bar, NULL);
    pane->find_bar = NULL;
    g_clear_object(&pane->session);
    G_OBJECT_CLASS(hpmviz_sourcepane_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    hpmviz_history_free(HPMVIZ_SOURCEPANE(object)->history);
    G_OBJECT_CLASS(hpmviz_sourcepane_parent_class)->finalize(object);
}

static void
hpmviz_sourcepane_class_init(HpmvizSourcepaneClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    signals[UPDATED] =
        g_signal_new("updated", HPMVIZ_TYPE_SOURCEPANE, G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 0);
    g_type_ensure(HPMVIZ_TYPE_FINDBAR);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/sourcepane.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane, notebook);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane, placeholder);
    gtk_widget_class_bind_template_child(widget, HpmvizSourcepane, find_bar);
    gtk_widget_class_bind_template_callback(widget, on_page);
}

static void
hpmviz_sourcepane_init(HpmvizSourcepane *pane)
{
    pane->history = hpmviz_history_new();
    gtk_widget_init_template(GTK_WIDGET(pane));
    hpmviz_notebook_prepare(pane->notebook);
}

HpmvizSourcetab *
hpmviz_sourcepane_tab(HpmvizSourcepane *pane)
{
    return current_tab(pane);
}

GtkWidget *
hpmviz_sourcepane_new(HpmvizSession *session)
{
    HpmvizSourcepane *pane = g_object_new(HPMVIZ_TYPE_SOURCEPANE, NULL);
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);

    pane->session = g_object_ref(session);
    g_signal_connect_object(preferences, "changed::sources.substitutions",
                            G_CALLBACK(retry_all), pane, G_CONNECT_SWAPPED);
    g_signal_connect_object(preferences, "changed::sources.search",
                            G_CALLBACK(retry_all), pane, G_CONNECT_SWAPPED);
    g_signal_connect_object(pane->notebook, "notify::page",
                            G_CALLBACK(tell_update), pane, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "selected", G_CALLBACK(follow), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "loaded", G_CALLBACK(on_loaded), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "metric", G_CALLBACK(renew), pane,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(renew), pane,
                            G_CONNECT_SWAPPED);
    return GTK_WIDGET(pane);
}
