/* SPDX-License-Identifier: BSD-3-Clause
 * The main window. */
#include "hpmviz/shell/window.h"

#include <glib/gi18n.h>

#include "base/string.h"
#include "hpmviz/data/remembered.h"
#include "hpmviz/kinds/kindsline.h"
#include "hpmviz/metrics/metricspane.h"
#include "hpmviz/metrics/metricswindow.h"
#include "hpmviz/shell/commands.h"
#include "hpmviz/shell/filecommands.h"
#include "hpmviz/shell/notices.h"
#include "hpmviz/shell/printcommands.h"
#include "hpmviz/shell/statusline.h"
#include "hpmviz/widgets/hintbar.h"
#include "hpmviz/widgets/restrictionbar.h"

struct _HpmvizWindow {
    GtkApplicationWindow parent_instance;
    struct hpmviz_parts parts;
    GtkWidget *toolbar, *panes, *info_bar, *info_label, *status, *progress,
        *cancel_button;
    gboolean is_maximised, is_placed; /* the panes have their sizes */
    gboolean is_restoring;            /* what is read was open the last time */
};

G_DEFINE_TYPE(HpmvizWindow, hpmviz_window, GTK_TYPE_APPLICATION_WINDOW)

enum { MAX_SIZE = 32767 };

/* ---- status ---------------------------------------------------------- */

static void
inform(HpmvizWindow *window, GtkMessageType type, const char *sentence)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, sentence);
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
show_status(HpmvizWindow *window)
{
    char *text = hpmviz_statusline_text(window->parts.session,
                                        window->parts.awaits_metrics);

    gtk_label_set_text(GTK_LABEL(window->status), text);
    g_free(text);
}

static void
show_progress(HpmvizWindow *window)
{
    guint n_done, n_files;
    char *text;
    gboolean is_loading =
        hpmviz_session_is_loading(window->parts.session, &n_done, &n_files);

    gtk_widget_set_visible(window->progress, is_loading);
    gtk_widget_set_visible(window->cancel_button, is_loading);
    if (!is_loading)
        return;
    text = n_files > 0 ? g_strdup_printf(_("%u of %u files"), n_done, n_files)
                       : g_strdup(_("looking for files"));
    gtk_progress_bar_set_text(GTK_PROGRESS_BAR(window->progress), text);
    g_free(text);
    if (n_files > 0)
        gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(window->progress),
                                      (double)n_done / n_files);
    else
        gtk_progress_bar_pulse(GTK_PROGRESS_BAR(window->progress));
}

/* ---- what was open --------------------------------------------------- */

static void
restore_pages(HpmvizWindow *window)
{
    char **pages = hpmviz_preferences_get_strings(
        hpmviz_session_preferences(window->parts.session), "session", "pages");

    window->is_restoring = FALSE;
    hpmviz_sourcepane_add_pages(window->parts.source, pages);
    g_strfreev(pages);
}

static void
keep_pages(HpmvizWindow *window)
{
    char **pages;

    if (window->is_restoring || gtk_widget_in_destruction(GTK_WIDGET(window)))
        return;
    pages = hpmviz_sourcepane_pages(window->parts.source);
    hpmviz_preferences_set_strings(
        hpmviz_session_preferences(window->parts.session), "session", "pages",
        (const char *const *)pages);
    g_strfreev(pages);
}

void
hpmviz_window_open_last(HpmvizWindow *window)
{
    window->is_restoring = hpmviz_remembered_open_last(window->parts.session);
}

/* ---- what the session tells -------------------------------------------- */

static void
on_loaded(HpmvizWindow *window)
{
    const struct hpm_study *study =
        hpmviz_session_loaded(window->parts.session)->study;
    const char *program = study->n_tasks > 0 ? study->tasks[0].program : NULL;
    char *title =
        g_strdup_printf("%s – hpmviz", program != NULL ? program : _("a run"));

    gtk_window_set_title(GTK_WINDOW(window), title);
    g_free(title);
    show_progress(window);
    window->parts.awaits_metrics = FALSE;
    show_status(window);
    hpmviz_sectionspane_focus(window->parts.sections);
    if (window->is_restoring)
        restore_pages(window);
    hpmviz_filecommands_add_recent(&window->parts);
}

static void
on_failed(HpmvizWindow *window)
{
    show_progress(window);
    window->is_restoring = FALSE;
}

/* Who asked for metrics before there were any gets them now. */
static void
on_surveyed(HpmvizWindow *window)
{
    show_status(window);
    if (window->parts.awaits_metrics &&
        hpmviz_session_has_metrics(window->parts.session))
        hpmviz_commands_open_metrics(&window->parts);
}

static void
show_trouble(HpmvizWindow *window)
{
    const char *problem = hpmviz_preferences_problem(
        hpmviz_session_preferences(window->parts.session));

    if (problem != NULL)
        inform(window, GTK_MESSAGE_WARNING, problem);
}

static void
show_toolbar(HpmvizWindow *window)
{
    gtk_widget_set_visible(
        window->toolbar, hpmviz_preferences_get_flag(
                             hpmviz_session_preferences(window->parts.session),
                             "view", "toolbar", TRUE));
}

static void
on_cancel(HpmvizWindow *window)
{
    hpmviz_session_cancel(window->parts.session);
    show_progress(window);
}

/* ---- closing --------------------------------------------------------- */

static void
end_if_saved(gboolean is_saved, gpointer data)
{
    g_autoptr(HpmvizWindow) window = data;

    if (is_saved)
        gtk_widget_destroy(GTK_WIDGET(window));
}

static void
on_answer(GtkDialog *dialog, int response, gpointer data)
{
    HpmvizWindow *window = data;

    gtk_widget_destroy(GTK_WIDGET(dialog));
    if (response == GTK_RESPONSE_YES) {
        hpmviz_sourcepane_save_all(window->parts.source, end_if_saved,
                                   g_object_ref(window));
    } else if (response == GTK_RESPONSE_NO) {
        hpmviz_sourcepane_forget_all(window->parts.source);
        gtk_widget_destroy(GTK_WIDGET(window));
    }
}

/* What could not be saved is asked about. */
static void
close_settled(gboolean is_saved, gpointer data)
{
    g_autoptr(HpmvizWindow) window = data;

    (void)is_saved;
    gtk_window_close(GTK_WINDOW(window));
}

/* No text is lost without a word: the window stays until the answer. */
static gboolean
on_delete(GtkWidget *widget)
{
    HpmvizWindow *window = HPMVIZ_WINDOW(widget);
    GtkWidget *dialog;
    char *names;

    if (hpmviz_sourcepane_is_saving(window->parts.source)) {
        hpmviz_sourcepane_settle(window->parts.source, close_settled,
                                 g_object_ref(window));
        return TRUE;
    }
    if (!hpmviz_sourcepane_is_modified(window->parts.source))
        return FALSE;
    names = hpmviz_sourcepane_modified_names(window->parts.source);
    dialog = gtk_message_dialog_new(
        GTK_WINDOW(window), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
        GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s",
        _("Save the changes to sources?"));
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s",
                                             names);
    g_free(names);
    gtk_dialog_add_buttons(GTK_DIALOG(dialog), _("Close _without saving"),
                           GTK_RESPONSE_NO, _("_Cancel"), GTK_RESPONSE_CANCEL,
                           _("_Save"), GTK_RESPONSE_YES, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_YES);
    g_signal_connect(dialog, "response", G_CALLBACK(on_answer), window);
    gtk_widget_show(dialog);
    return TRUE;
}

/* ---- size ------------------------------------------------------------ */

/* Not larger than the screen, whatever was remembered. */
static void
restore_size(HpmvizWindow *window)
{
    const HpmvizPreferences *preferences =
        hpmviz_session_preferences(window->parts.session);
    GdkMonitor *monitor = gdk_display_get_monitor(gdk_display_get_default(), 0);
    GdkRectangle area = {.width = 800, .height = 600};
    int width = hpmviz_preferences_get_int(preferences, "window", "width", 200,
                                           MAX_SIZE, 1400);
    int height = hpmviz_preferences_get_int(preferences, "window", "height",
                                            200, MAX_SIZE, 850);

    if (monitor != NULL)
        gdk_monitor_get_workarea(monitor, &area);
    gtk_window_set_default_size(GTK_WINDOW(window), MIN(width, area.width),
                                MIN(height, area.height));
    if (hpmviz_preferences_get_flag(preferences, "window", "maximised", FALSE))
        gtk_window_maximize(GTK_WINDOW(window));
}

/* Of the width there is, as soon as that is known. */
static void
restore_position(GtkWidget *panes, GdkRectangle *area, gpointer data)
{
    HpmvizWindow *window = data;
    int part = hpmviz_preferences_get_int(
        hpmviz_session_preferences(window->parts.session), "window", "panes", 0,
        1000, 500);

    if (area->width < 2)
        return;
    g_signal_handlers_disconnect_by_func(panes, (gpointer)restore_position,
                                         data);
    gtk_paned_set_position(GTK_PANED(panes), area->width * part / 1000);
    window->is_placed = TRUE;
}

static void
on_position(GtkPaned *panes, GParamSpec *property, gpointer data)
{
    HpmvizWindow *window = data;
    int width = gtk_widget_get_allocated_width(GTK_WIDGET(panes));

    (void)property;
    if (window->is_placed && width > 1)
        hpmviz_preferences_set_int(
            hpmviz_session_preferences(window->parts.session), "window",
            "panes", 1000 * gtk_paned_get_position(panes) / width);
}

static gboolean
on_configure(GtkWidget *widget)
{
    HpmvizWindow *window = HPMVIZ_WINDOW(widget);
    HpmvizPreferences *preferences =
        hpmviz_session_preferences(window->parts.session);
    int width, height;

    if (window->is_maximised)
        return FALSE;
    gtk_window_get_size(GTK_WINDOW(window), &width, &height);
    hpmviz_preferences_set_int(preferences, "window", "width", width);
    hpmviz_preferences_set_int(preferences, "window", "height", height);
    return FALSE;
}

static gboolean
on_state(GtkWidget *widget, GdkEventWindowState *event)
{
    HpmvizWindow *window = HPMVIZ_WINDOW(widget);

    window->is_maximised =
        (event->new_window_state &
         (GDK_WINDOW_STATE_MAXIMIZED | GDK_WINDOW_STATE_FULLSCREEN)) != 0;
    if (event->changed_mask & GDK_WINDOW_STATE_MAXIMIZED)
        hpmviz_preferences_set_flag(
            hpmviz_session_preferences(window->parts.session), "window",
            "maximised", window->is_maximised);
    return FALSE;
}

/* ---- files dropped on the window ------------------------------------- */

static void
on_dropped(GtkWidget *widget, GdkDragContext *context, int x, int y,
           GtkSelectionData *selection, guint info, guint time, gpointer data)
{
    (void)x;
    (void)y;
    (void)info;
    (void)data;
    hpmviz_filecommands_drop(&HPMVIZ_WINDOW(widget)->parts, selection, context,
                             time);
}

/* ---- the object ------------------------------------------------------ */

static void
dispose(GObject *object)
{
    g_clear_object(&HPMVIZ_WINDOW(object)->parts.session);
    G_OBJECT_CLASS(hpmviz_window_parent_class)->dispose(object);
}

static void
hpmviz_window_class_init(HpmvizWindowClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/window.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, toolbar);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, panes);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, info_bar);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, info_label);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, status);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, progress);
    gtk_widget_class_bind_template_child(widget, HpmvizWindow, cancel_button);
    gtk_widget_class_bind_template_callback(widget, on_cancel);
    gtk_widget_class_bind_template_callback(widget, on_delete);
    gtk_widget_class_bind_template_callback(widget, on_info_closed);
    gtk_widget_class_bind_template_callback(widget, on_configure);
    gtk_widget_class_bind_template_callback(widget, on_position);
    gtk_widget_class_bind_template_callback(widget, on_state);
}

static void
hpmviz_window_init(HpmvizWindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    gtk_drag_dest_set(GTK_WIDGET(window), GTK_DEST_DEFAULT_ALL, NULL, 0,
                      GDK_ACTION_COPY);
    gtk_drag_dest_add_uri_targets(GTK_WIDGET(window));
    g_signal_connect(window, "drag-data-received", G_CALLBACK(on_dropped),
                     NULL);
}

/* The list and the source go to the section of a hint, too. */
static void
on_hint(const struct hpmviz_parts *parts, const struct hpmviz_hint *hint)
{
    HpmvizMetricswindow *metrics = hpmviz_metricswindow_open(
        parts->session, GTK_WINDOW(parts->window), hint->subject);

    hpmviz_printcommands_watch_metrics(metrics);
    hpmviz_metricswindow_go_to(metrics, hint);
    hpmviz_session_select(parts->session, hint->subject);
}

/* The source with the hints above it, and below what measures it again. */
static GtkWidget *
pack_source(HpmvizWindow *window)
{
    struct hpmviz_parts *parts = &window->parts;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *panes = gtk_paned_new(GTK_ORIENTATION_VERTICAL);
    GtkWidget *hints = hpmviz_hintbar_new(parts->session, "window");

    gtk_box_pack_start(GTK_BOX(box), hints, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), hpmviz_kindsline_new(parts->session),
                       FALSE, FALSE, 0);
    gtk_paned_pack1(GTK_PANED(panes), GTK_WIDGET(parts->source), TRUE, FALSE);
    gtk_paned_pack2(GTK_PANED(panes), GTK_WIDGET(parts->measure), FALSE, FALSE);
    gtk_widget_show(panes);
    gtk_box_pack_start(GTK_BOX(box), panes, TRUE, TRUE, 0);
    gtk_widget_show(box);
    hpmviz_hintbar_follow(HPMVIZ_HINTBAR(hints));
    g_signal_connect_swapped(hints, "chosen", G_CALLBACK(on_hint), parts);
    return box;
}

/* The list with the metrics of the section below it. */
static GtkWidget *
pack_sections(HpmvizWindow *window)
{
    struct hpmviz_parts *parts = &window->parts;
    GtkWidget *panes = gtk_paned_new(GTK_ORIENTATION_VERTICAL);
    GtkWidget *metrics = hpmviz_metricspane_new(parts->session);

    gtk_paned_set_wide_handle(GTK_PANED(panes), TRUE);
    gtk_paned_pack1(GTK_PANED(panes), GTK_WIDGET(parts->sections), TRUE, FALSE);
    gtk_paned_pack2(GTK_PANED(panes), metrics, TRUE, FALSE);
    gtk_widget_show(panes);
    g_signal_connect_swapped(metrics, "opened",
                             G_CALLBACK(hpmviz_commands_open_metrics), parts);
    return panes;
}

static void
pack_panes(HpmvizWindow *window)
{
    struct hpmviz_parts *parts = &window->parts;
    GtkWidget *notices = hpmviz_notices_new(parts->session);
    GtkWidget *restriction = hpmviz_restrictionbar_new(parts->session);
    GtkBox *box = GTK_BOX(gtk_bin_get_child(GTK_BIN(window)));

    gtk_box_pack_start(box, notices, FALSE, FALSE, 0);
    gtk_box_reorder_child(box, notices, 1); /* below the tools */
    gtk_box_pack_start(box, restriction, FALSE, FALSE, 0);
    gtk_box_reorder_child(box, restriction, 2);
    gtk_box_pack_start(box, GTK_WIDGET(parts->runs), FALSE, FALSE, 0);
    gtk_box_reorder_child(box, GTK_WIDGET(parts->runs), 3);

    gtk_paned_pack1(GTK_PANED(window->panes), pack_sections(window), TRUE,
                    FALSE);
    gtk_paned_pack2(GTK_PANED(window->panes), pack_source(window), TRUE, FALSE);
    g_signal_connect(window->panes, "size-allocate",
                     G_CALLBACK(restore_position), window);
    g_signal_connect_swapped(parts->sections, "opened",
                             G_CALLBACK(hpmviz_commands_open_metrics), parts);
    g_signal_connect_swapped(parts->sections, "entered",
                             G_CALLBACK(hpmviz_commands_enter_source), parts);
    g_signal_connect_swapped(parts->source, "updated", G_CALLBACK(keep_pages),
                             window);
}

static void
follow_session(HpmvizWindow *window)
{
    HpmvizSession *session = window->parts.session;
    const struct {
        const char *signal;
        void (*react)(HpmvizWindow *window);
    } reactions[] = {
        {"progress", show_progress}, {"loaded", on_loaded},
        {"surveyed", on_surveyed},   {"failed", on_failed},
        {"selected", show_status},   {"viewed", show_status},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(reactions); i++)
        g_signal_connect_object(session, reactions[i].signal,
                                G_CALLBACK(reactions[i].react), window,
                                G_CONNECT_SWAPPED);
    g_signal_connect_object(hpmviz_session_preferences(session), "troubled",
                            G_CALLBACK(show_trouble), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(hpmviz_session_preferences(session),
                            "changed::view.toolbar", G_CALLBACK(show_toolbar),
                            window, G_CONNECT_SWAPPED);
}

GtkWidget *
hpmviz_window_new(GtkApplication *application, HpmvizSession *session)
{
    HpmvizWindow *window =
        g_object_new(HPMVIZ_TYPE_WINDOW, "application", application, NULL);
    struct hpmviz_parts *parts = &window->parts;

    parts->window = GTK_APPLICATION_WINDOW(window);
    parts->session = g_object_ref(session);
    parts->runs = HPMVIZ_RUNSBAR(hpmviz_runsbar_new(session));
    parts->sections = HPMVIZ_SECTIONSPANE(hpmviz_sectionspane_new(session));
    parts->source = HPMVIZ_SOURCEPANE(hpmviz_sourcepane_new(session));
    parts->measure = HPMVIZ_MEASUREPANE(hpmviz_measurepane_new(session));
    pack_panes(window);
    follow_session(window);
    hpmviz_commands_add(parts);
    restore_size(window);
    show_toolbar(window);
    show_status(window);
    show_trouble(window);
    return GTK_WIDGET(window);
}
