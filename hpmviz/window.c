/* SPDX-License-Identifier: BSD-3-Clause
 * The main window. */
#include "hpmviz/window.h"

#include <glib/gi18n.h>

#include "hpmviz/metricswindow.h"
#include "hpmviz/sectionspane.h"
#include "hpmviz/sourcepane.h"
#include "report/format.h"

struct _HpmvizWindow {
    GtkApplicationWindow parent_instance;
    HpmvizSession *session;
    HpmvizSectionspane *sections;
    HpmvizSourcepane *source;
    GtkWidget *panes, *info_bar, *info_label, *status, *progress,
        *cancel_button;
};

G_DEFINE_TYPE(HpmvizWindow, hpmviz_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- status ---------------------------------------------------------- */

static void
inform(HpmvizWindow *window, GtkMessageType type, const char *sentence)
{
    struct hpm_string safe = {0};

    hpm_text_add_safe(&safe, sentence);
    gtk_label_set_text(GTK_LABEL(window->info_label), hpm_string_text(&safe));
    gtk_info_bar_set_message_type(GTK_INFO_BAR(window->info_bar), type);
    gtk_widget_show(window->info_bar);
    hpm_string_free(&safe);
}

static void
on_info_closed(HpmvizWindow *window)
{
    gtk_widget_hide(window->info_bar);
}

static void
add_selected(const HpmvizWindow *window, GString *text)
{
    const struct hpm_survey *survey = hpmviz_session_survey(window->session);
    size_t selected = hpmviz_session_selected(window->session);
    struct hpm_string label = {0}, safe = {0};

    if (survey == NULL || selected == HPM_NO_SUBJECT)
        return;
    hpm_survey_add_label(survey, selected, &label);
    hpm_text_add_safe(&safe, hpm_string_text(&label));
    g_string_append_printf(text,
                           _("   %s: %.1f %% of the exclusive time, %zu "
                             "metrics bad"),
                           hpm_string_text(&safe),
                           100 * survey->subjects[selected].share,
                           survey->subjects[selected].n_bad);
    hpm_string_free(&label);
    hpm_string_free(&safe);
}

static void
show_status(HpmvizWindow *window)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(window->session);
    GString *text = g_string_new(NULL);

    if (loaded == NULL)
        g_string_append(text, _("no performance file is open"));
    else
        g_string_append_printf(
            text,
            _("%u files, %zu tasks, %zu threads; values: %s over threads"),
            loaded->n_files, loaded->study->n_tasks, loaded->study->n_places,
            hpmviz_statistic_name(
                hpmviz_session_view(window->session)->statistic));
    add_selected(window, text);
    gtk_label_set_text(GTK_LABEL(window->status), text->str);
    g_string_free(text, TRUE);
}

/* The first few; all of them are a long text. */
static void
show_problems(HpmvizWindow *window)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(window->session);
    GString *text = g_string_new(NULL);
    guint n = loaded->problems->len;

    for (guint i = 0; i < n && i < 5; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? "\n" : "",
                               (char *)loaded->problems->pdata[i]);
    if (n > 5)
        g_string_append_printf(text, _("\nand %u more"), n - 5);
    if (n > 0)
        inform(window, GTK_MESSAGE_WARNING, text->str);
    else
        gtk_widget_hide(window->info_bar);
    g_string_free(text, TRUE);
}

static void
show_progress(HpmvizWindow *window)
{
    guint n_done, n_files;
    gboolean is_loading =
        hpmviz_session_is_loading(window->session, &n_done, &n_files);

    gtk_widget_set_visible(window->progress, is_loading);
    gtk_widget_set_visible(window->cancel_button, is_loading);
    if (!is_loading)
        return;
    if (n_files > 0)
        gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(window->progress),
                                      (double)n_done / n_files);
    else
        gtk_progress_bar_pulse(GTK_PROGRESS_BAR(window->progress));
}

static void
on_loaded(HpmvizWindow *window)
{
    const struct hpm_study *study =
        hpmviz_session_loaded(window->session)->study;
    const char *program = study->n_tasks > 0 ? study->tasks[0].program : NULL;
    char *title =
        g_strdup_printf("%s – hpmviz", program != NULL ? program : _("a run"));

    gtk_window_set_title(GTK_WINDOW(window), title);
    g_free(title);
    show_progress(window);
    show_problems(window);
    show_status(window);
    hpmviz_sectionspane_focus(window->sections);
}

static void
on_failed(HpmvizWindow *window)
{
    show_progress(window);
    inform(window, GTK_MESSAGE_ERROR, hpmviz_session_failure(window->session));
}

static void
on_cancel(HpmvizWindow *window)
{
    hpmviz_session_cancel(window->session);
    show_progress(window);
}

/* ---- sections -------------------------------------------------------- */

static void
open_metrics(HpmvizWindow *window)
{
    if (hpmviz_session_selected(window->session) != HPM_NO_SUBJECT)
        gtk_widget_show(
            hpmviz_metricswindow_new(window->session, GTK_WINDOW(window)));
}

static void
enter_source(HpmvizWindow *window)
{
    hpmviz_sourcepane_focus(window->source);
}

static void
open_menu(HpmvizWindow *window)
{
    GMenu *menu = g_menu_new();
    GtkWidget *popup;

    g_menu_append(menu, _("_Metrics"), "win.metrics");
    g_menu_append(menu, _("_Source"), "win.source");
    popup = gtk_menu_new_from_model(G_MENU_MODEL(menu));
    gtk_menu_attach_to_widget(GTK_MENU(popup), GTK_WIDGET(window), NULL);
    gtk_menu_popup_at_pointer(GTK_MENU(popup), NULL);
    g_object_unref(menu);
}

/* ---- actions --------------------------------------------------------- */

static void
act_open(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    HpmvizWindow *window = data;
    GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
        _("Open performance files"), GTK_WINDOW(window),
        GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
    GtkFileFilter *filter = gtk_file_filter_new();

    (void)action;
    (void)parameter;
    gtk_file_filter_set_name(filter, _("Performance files"));
    gtk_file_filter_add_pattern(filter, "*.hpm.xml*");
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), filter);
    filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, _("All files"));
    gtk_file_filter_add_pattern(filter, "*");
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), filter);
    gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(chooser), TRUE);
    if (gtk_native_dialog_run(GTK_NATIVE_DIALOG(chooser)) ==
        GTK_RESPONSE_ACCEPT) {
        GSList *names =
            gtk_file_chooser_get_filenames(GTK_FILE_CHOOSER(chooser));
        GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

        for (GSList *at = names; at != NULL; at = at->next)
            g_ptr_array_add(words, at->data);
        g_slist_free(names);
        g_ptr_array_add(words, NULL);
        hpmviz_session_open(window->session, (char **)words->pdata);
        g_ptr_array_unref(words);
    }
    g_object_unref(chooser);
}

static void
act_reload(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_session_reload(HPMVIZ_WINDOW(data)->session);
}

static void
act_save(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_save(HPMVIZ_WINDOW(data)->source);
}

static void
act_close(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    gtk_window_close(GTK_WINDOW(data));
}

static void
act_undo(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_undo(HPMVIZ_WINDOW(data)->source);
}

static void
act_redo(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_redo(HPMVIZ_WINDOW(data)->source);
}

/* Where the focus is. */
static void
act_find(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    HpmvizWindow *window = data;
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));

    (void)action;
    (void)parameter;
    if (focus != NULL &&
        gtk_widget_is_ancestor(focus, GTK_WIDGET(window->source)))
        hpmviz_sourcepane_find(window->source);
    else
        hpmviz_sectionspane_find(window->sections);
}

static void
act_find_next(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_find_next(HPMVIZ_WINDOW(data)->source, TRUE);
}

static void
act_find_previous(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_find_next(HPMVIZ_WINDOW(data)->source, FALSE);
}

static void
on_line(GtkDialog *dialog, int response, gpointer data)
{
    GtkWidget *entry = g_object_get_data(G_OBJECT(dialog), "entry");

    if (response == GTK_RESPONSE_OK) {
        int line = gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(entry));

        hpmviz_sourcepane_go_to(HPMVIZ_WINDOW(data)->source, line);
        hpmviz_sourcepane_focus(HPMVIZ_WINDOW(data)->source);
    }
    gtk_widget_destroy(GTK_WIDGET(dialog));
}

static void
act_go_to_line(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    GtkWidget *dialog = gtk_dialog_new_with_buttons(
        _("Go to line"), GTK_WINDOW(data),
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, _("_Cancel"),
        GTK_RESPONSE_CANCEL, _("_Go"), GTK_RESPONSE_OK, NULL);
    GtkWidget *entry = gtk_spin_button_new_with_range(1, 9999999, 1);

    (void)action;
    (void)parameter;
    gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    gtk_box_pack_start(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog))),
                       entry, FALSE, FALSE, 12);
    g_object_set_data(G_OBJECT(dialog), "entry", entry);
    g_signal_connect(dialog, "response", G_CALLBACK(on_line), data);
    gtk_widget_show_all(dialog);
}

static void
act_metrics(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    open_metrics(data);
}

static void
act_source(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    enter_source(data);
}

static void
act_next(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_step(HPMVIZ_WINDOW(data)->source, 1);
}

static void
act_previous(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_step(HPMVIZ_WINDOW(data)->source, -1);
}

static void
act_sections(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sectionspane_focus(HPMVIZ_WINDOW(data)->sections);
}

static void
act_save_as(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_save_as(HPMVIZ_WINDOW(data)->source);
}

static void
act_back(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_travel(HPMVIZ_WINDOW(data)->source, -1);
}

static void
act_forward(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_travel(HPMVIZ_WINDOW(data)->source, 1);
}

static void
act_close_source(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_close(HPMVIZ_WINDOW(data)->source);
}

static void
act_edit_source(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    (void)action;
    (void)parameter;
    hpmviz_sourcepane_open_editor(HPMVIZ_WINDOW(data)->source);
}

/* ---- choices --------------------------------------------------------- */

static void
choose_statistic(GSimpleAction *action, GVariant *value, gpointer data)
{
    HpmvizWindow *window = data;
    struct hpmviz_view view = *hpmviz_session_view(window->session);

    view.statistic = hpmviz_statistic_find(g_variant_get_string(value, NULL));
    g_simple_action_set_state(action, value);
    hpmviz_session_set_view(window->session, &view);
}

static void
choose_precision(GSimpleAction *action, GVariant *value, gpointer data)
{
    HpmvizWindow *window = data;
    struct hpmviz_view view = *hpmviz_session_view(window->session);

    view.precision = g_strcmp0(g_variant_get_string(value, NULL), "single") == 0
                         ? HPM_PRECISION_SINGLE
                         : HPM_PRECISION_DOUBLE;
    g_simple_action_set_state(action, value);
    hpmviz_session_set_view(window->session, &view);
}

static void
choose_palette(GSimpleAction *action, GVariant *value, gpointer data)
{
    HpmvizWindow *window = data;
    struct hpmviz_view view = *hpmviz_session_view(window->session);

    view.palette = hpmviz_palette_find(g_variant_get_string(value, NULL));
    g_simple_action_set_state(action, value);
    hpmviz_session_set_view(window->session, &view);
}

static const GActionEntry actions[] = {
    {"open", act_open, NULL, NULL, NULL, {0}},
    {"reload", act_reload, NULL, NULL, NULL, {0}},
    {"save", act_save, NULL, NULL, NULL, {0}},
    {"save-as", act_save_as, NULL, NULL, NULL, {0}},
    {"back", act_back, NULL, NULL, NULL, {0}},
    {"forward", act_forward, NULL, NULL, NULL, {0}},
    {"close-source", act_close_source, NULL, NULL, NULL, {0}},
    {"edit-source", act_edit_source, NULL, NULL, NULL, {0}},
    {"close", act_close, NULL, NULL, NULL, {0}},
    {"undo", act_undo, NULL, NULL, NULL, {0}},
    {"redo", act_redo, NULL, NULL, NULL, {0}},
    {"find", act_find, NULL, NULL, NULL, {0}},
    {"find-next", act_find_next, NULL, NULL, NULL, {0}},
    {"find-previous", act_find_previous, NULL, NULL, NULL, {0}},
    {"go-to-line", act_go_to_line, NULL, NULL, NULL, {0}},
    {"metrics", act_metrics, NULL, NULL, NULL, {0}},
    {"source", act_source, NULL, NULL, NULL, {0}},
    {"sections", act_sections, NULL, NULL, NULL, {0}},
    {"next", act_next, NULL, NULL, NULL, {0}},
    {"previous", act_previous, NULL, NULL, NULL, {0}},
    {"statistic", NULL, "s", "'max'", choose_statistic, {0}},
    {"precision", NULL, "s", "'double'", choose_precision, {0}},
    {"palette", NULL, "s", "'red-green'", choose_palette, {0}},
};

/* ---- closing --------------------------------------------------------- */

/* No text is lost without a word. */
static gboolean
on_delete(GtkWidget *widget, GdkEvent *event, gpointer data)
{
    HpmvizWindow *window = HPMVIZ_WINDOW(widget);
    GtkWidget *dialog;
    int response;

    (void)event;
    (void)data;
    if (!hpmviz_sourcepane_is_modified(window->source))
        return FALSE;
    dialog = gtk_message_dialog_new(GTK_WINDOW(window), GTK_DIALOG_MODAL,
                                    GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                                    "%s", _("Save the changes to sources?"));
    gtk_dialog_add_buttons(GTK_DIALOG(dialog), _("Close _without saving"),
                           GTK_RESPONSE_NO, _("_Cancel"), GTK_RESPONSE_CANCEL,
                           _("_Save"), GTK_RESPONSE_YES, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    response = gtk_dialog_run(GTK_DIALOG(dialog));
    gtk_widget_destroy(dialog);
    if (response == GTK_RESPONSE_YES)
        return !hpmviz_sourcepane_save_all(window->source);
    if (response == GTK_RESPONSE_NO)
        hpmviz_sourcepane_forget_all(window->source);
    return response != GTK_RESPONSE_NO;
}

/* ---- files dropped on the window ------------------------------------- */

static void
on_dropped(GtkWidget *widget, GdkDragContext *context, int x, int y,
           GtkSelectionData *selection, guint info, guint time, gpointer data)
{
    HpmvizWindow *window = HPMVIZ_WINDOW(widget);
    char **uris = gtk_selection_data_get_uris(selection);
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

    (void)x;
    (void)y;
    (void)info;
    (void)data;
    for (char **uri = uris; uri != NULL && *uri != NULL; uri++) {
        char *path = g_filename_from_uri(*uri, NULL, NULL);

        if (path != NULL)
            g_ptr_array_add(words, path);
    }
    gtk_drag_finish(context, words->len > 0, FALSE, time);
    if (words->len > 0) {
        g_ptr_array_add(words, NULL);
        hpmviz_session_open(window->session, (char **)words->pdata);
    }
    g_ptr_array_unref(words);
    g_strfreev(uris);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    g_clear_object(&HPMVIZ_WINDOW(object)->session);
    G_OBJECT_CLASS(hpmviz_window_parent_class)->dispose(object);
}

static void
hpmviz_window_class_init(HpmvizWindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/window.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, panes);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, info_bar);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, info_label);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, status);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, progress);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, cancel_button);
    gtk_widget_class_bind_template_callback(widget, on_cancel);
    gtk_widget_class_bind_template_callback(widget, on_delete);
    gtk_widget_class_bind_template_callback(widget, on_info_closed);
}

static void
hpmviz_window_init(HpmvizWindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    g_action_map_add_action_entries(G_ACTION_MAP(window), actions,
                                    G_N_ELEMENTS(actions), window);
    gtk_drag_dest_set(GTK_WIDGET(window), GTK_DEST_DEFAULT_ALL, NULL, 0,
                      GDK_ACTION_COPY);
    gtk_drag_dest_add_uri_targets(GTK_WIDGET(window));
    g_signal_connect(window, "drag-data-received", G_CALLBACK(on_dropped),
                     NULL);
}

GtkWidget *
hpmviz_window_new(GtkApplication *application, HpmvizSession *session)
{
    HpmvizWindow *window =
        g_object_new(HPMVIZ_TYPE_WINDOW, "application", application, NULL);

    window->session = g_object_ref(session);
    window->sections = HPMVIZ_SECTIONSPANE(hpmviz_sectionspane_new(session));
    window->source = HPMVIZ_SOURCEPANE(hpmviz_sourcepane_new(session));
    gtk_paned_pack1(GTK_PANED(window->panes), GTK_WIDGET(window->sections),
                    TRUE, FALSE);
    gtk_paned_pack2(GTK_PANED(window->panes), GTK_WIDGET(window->source), TRUE,
                    FALSE);
    g_signal_connect_swapped(window->sections, "opened",
                             G_CALLBACK(open_metrics), window);
    g_signal_connect_swapped(window->sections, "entered",
                             G_CALLBACK(enter_source), window);
    g_signal_connect_swapped(window->sections, "menu", G_CALLBACK(open_menu),
                             window);
    g_signal_connect_object(session, "progress", G_CALLBACK(show_progress),
                            window, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "loaded", G_CALLBACK(on_loaded), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "failed", G_CALLBACK(on_failed), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "selected", G_CALLBACK(show_status),
                            window, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "viewed", G_CALLBACK(show_status), window,
                            G_CONNECT_SWAPPED);
    show_status(window);
    return GTK_WIDGET(window);
}
