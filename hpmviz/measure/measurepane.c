/* SPDX-License-Identifier: BSD-3-Clause
 * The pane from which the program is built and measured again. */
#include "hpmviz/measure/measurepane.h"

#include <glib/gi18n.h>

#include "base/string.h"
#include "hpmviz/measure/functionrun.h"
#include "hpmviz/measure/job.h"
#include "hpmviz/measure/outputtext.h"
#include "hpmviz/measure/project.h"
#include "hpmviz/widgets/notice.h"

struct _HpmvizMeasurepane {
    GtkBox parent_instance;
    HpmvizSession *session;
    HpmvizNotice *notice;
    GtkWidget *command_entry, *folder_entry, *run_button, *stop_button,
        *state_label, *function_label;
    GtkTextView *view;
    struct hpmviz_outputtext output;
    HpmvizJob *job;
    char *source;                    /* of the command, with folders */
    struct hpmviz_function function; /* to be measured; without a name: none */
    struct hpmviz_functionrun *run;  /* of it */
    GCancellable *planning;          /* while the program is looked at */
    gboolean is_preparing;           /* the job only builds the program */
    gboolean is_wanted; /* when the folder is known the command is to be run */
    gboolean is_asking; /* the entry of the command is to have the focus */
    void (*save)(gpointer data);
    gpointer save_data;
};

G_DEFINE_TYPE(HpmvizMeasurepane, hpmviz_measurepane, GTK_TYPE_BOX)

enum { ASKED, CHOSEN, CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

static HpmvizPreferences *
preferences(const HpmvizMeasurepane *pane)
{
    return hpmviz_session_preferences(pane->session);
}

static const char *
text_of(GtkWidget *entry)
{
    return gtk_entry_get_text(GTK_ENTRY(entry));
}

gboolean
hpmviz_measurepane_is_running(const HpmvizMeasurepane *pane)
{
    return pane->planning != NULL ||
           (pane->job != NULL && hpmviz_job_is_running(pane->job));
}

static void
say(HpmvizMeasurepane *pane, const char *sentence)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, sentence);
    gtk_label_set_text(GTK_LABEL(pane->state_label), hpm_string_text(&safe));
    hpm_string_free(&safe);
}

static void
show_state(HpmvizMeasurepane *pane)
{
    gboolean is_running = hpmviz_measurepane_is_running(pane);

    gtk_widget_set_sensitive(pane->run_button, !is_running);
    gtk_widget_set_sensitive(pane->stop_button, is_running);
    gtk_widget_set_sensitive(pane->command_entry, !is_running);
    gtk_widget_set_sensitive(pane->folder_entry, !is_running);
    g_signal_emit(pane, signals[CHANGED], 0);
}

/* ---- what came of it ------------------------------------------------- */

/* The run that came last is the one to compare with. */
static void
open_files(HpmvizMeasurepane *pane)
{
    char *const *files = hpmviz_job_files(pane->job);
    HpmvizRuns *runs = hpmviz_session_runs(pane->session);
    guint n = hpmviz_runs_count(runs);

    if (n == 0) {
        hpmviz_session_open(pane->session, files);
        return;
    }
    hpmviz_session_set_reference(pane->session,
                                 hpmviz_run_id(hpmviz_runs_at(runs, n - 1)));
    hpmviz_session_add_run(pane->session, files);
}

static char *
describe(const HpmvizJob *job)
{
    const char *result = hpmviz_job_result(job);
    char *const *files = hpmviz_job_files(job);
    guint n = g_strv_length((char **)files);

    if (hpmviz_job_output(job) == NULL)
        return g_strdup(result);
    if (n > 0)
        return g_strdup_printf(
            ngettext("%s; %u performance file is opened as the next run: %s",
                     "%s; %u performance files are opened as the next run: %s",
                     n),
            result, n, hpmviz_job_output(job));
    if (!hpmviz_job_is_good(job))
        return g_strdup_printf(_("%s; no performance file came"), result);
    return g_strdup_printf(
        _("%s, but no performance file came: the program calls nothing of "
          "libhpm and was not run with hpmcount, or the command sets "
          "HPM_OUTPUT_NAME itself, or the program still runs"),
        result);
}

static void plan(HpmvizMeasurepane *pane);

/* In the line below the output, and where the output ends. */
static void
conclude(HpmvizMeasurepane *pane, const char *sentence)
{
    say(pane, sentence);
    hpmviz_outputtext_add(&pane->output, sentence);
    show_state(pane);
}

static void
on_ended(HpmvizMeasurepane *pane)
{
    g_autofree char *sentence = NULL;

    if (pane->is_preparing && hpmviz_job_is_good(pane->job)) {
        pane->run->is_prepared = TRUE;
        plan(pane);
        return;
    }
    sentence = describe(pane->job);
    conclude(pane, sentence);
    if (*hpmviz_job_files(pane->job) != NULL)
        open_files(pane);
}

/* ---- running --------------------------------------------------------- */

static void
on_output(HpmvizMeasurepane *pane, const char *line)
{
    hpmviz_outputtext_add(&pane->output, line);
}

static void
on_started(HpmvizMeasurepane *pane)
{
    g_autofree char *line = NULL;

    if (pane->is_preparing)
        return;
    line = g_strdup_printf(_("performance files go to %s"),
                           hpmviz_job_output(pane->job));
    hpmviz_outputtext_add(&pane->output, line);
}

static void
drop_job(HpmvizMeasurepane *pane)
{
    if (pane->job == NULL)
        return;
    hpmviz_job_stop(pane->job);
    g_signal_handlers_disconnect_by_data(pane->job, pane);
    g_clear_object(&pane->job);
}

/* The command stands above what it writes. */
static void
start_job(HpmvizMeasurepane *pane, const char *folder, const char *command)
{
    g_autofree char *line = g_strdup_printf("%s$ %s", folder, command);

    drop_job(pane);
    hpmviz_outputtext_add(&pane->output, line);
    pane->job = hpmviz_job_new();
    g_signal_connect_swapped(pane->job, "started", G_CALLBACK(on_started),
                             pane);
    g_signal_connect_swapped(pane->job, "output", G_CALLBACK(on_output), pane);
    g_signal_connect_swapped(pane->job, "ended", G_CALLBACK(on_ended), pane);
    hpmviz_job_start(pane->job, folder, command);
    say(pane,
        pane->is_preparing ? _("the program is built") : _("the command runs"));
    show_state(pane);
}

/* ---- measuring a function -------------------------------------------- */

/* What is to be run next, and whether that only builds. */
struct next {
    char *command;
    gboolean is_preparation;
};

static void
free_next(gpointer data)
{
    struct next *next = data;

    g_free(next->command);
    g_free(next);
}

static void
find_next(GTask *task, gpointer source, gpointer data,
          GCancellable *cancellable)
{
    struct next *next = g_new0(struct next, 1);
    GError *error = NULL;

    (void)source;
    (void)cancellable;
    next->command =
        hpmviz_functionrun_next(data, &next->is_preparation, &error);
    if (next->command != NULL) {
        g_task_return_pointer(task, next, free_next);
        return;
    }
    free_next(next);
    g_task_return_error(task, error);
}

static void
on_next(GObject *object, GAsyncResult *result, gpointer data)
{
    HpmvizMeasurepane *pane = HPMVIZ_MEASUREPANE(object);
    g_autoptr(GError) error = NULL;
    struct next *next = g_task_propagate_pointer(G_TASK(result), &error);

    (void)data;
    if (g_task_get_cancellable(G_TASK(result)) == pane->planning)
        g_clear_object(&pane->planning);
    if (pane->session == NULL) /* the window is gone */
        pane->is_preparing = FALSE;
    else if (next == NULL)
        conclude(pane, g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                           ? _("the command was stopped")
                           : error->message);
    else {
        pane->is_preparing = next->is_preparation;
        start_job(pane, pane->run->folder, next->command);
    }
    if (next != NULL)
        free_next(next);
}

/* Another thread looks at the program, with a copy of what it needs. */
static void
plan(HpmvizMeasurepane *pane)
{
    struct hpmviz_functionrun *copy =
        hpmviz_functionrun_new(pane->run->folder, pane->run->command,
                               pane->run->source, &pane->run->function);
    GTask *task;

    copy->is_prepared = pane->run->is_prepared;
    pane->is_preparing = FALSE;
    pane->planning = g_cancellable_new();
    task = g_task_new(pane, pane->planning, on_next, NULL);
    g_task_set_task_data(task, copy, hpmviz_functionrun_free);
    g_task_run_in_thread(task, find_next);
    g_object_unref(task);
    say(pane, _("the function is looked for in the program"));
    show_state(pane);
}

void
hpmviz_measurepane_run(HpmvizMeasurepane *pane)
{
    const char *command = text_of(pane->command_entry);
    const char *folder = text_of(pane->folder_entry);

    if (hpmviz_measurepane_is_running(pane) || *command == '\0')
        return;
    hpmviz_notice_hide(pane->notice);
    hpmviz_project_remember(preferences(pane), folder, command);
    hpmviz_outputtext_start(&pane->output, folder);
    if (pane->function.name == NULL) {
        pane->is_preparing = FALSE;
        start_job(pane, folder, command);
        return;
    }
    hpmviz_functionrun_free(pane->run);
    pane->run =
        hpmviz_functionrun_new(folder, command, pane->source, &pane->function);
    plan(pane);
}

void
hpmviz_measurepane_stop(HpmvizMeasurepane *pane)
{
    if (pane->planning != NULL)
        g_cancellable_cancel(pane->planning);
    else if (hpmviz_measurepane_is_running(pane))
        hpmviz_job_stop(pane->job);
}

static void
on_run(HpmvizMeasurepane *pane)
{
    if (*text_of(pane->command_entry) != '\0')
        g_signal_emit(pane, signals[ASKED], 0);
}

/* ---- asking ---------------------------------------------------------- */

static void
save_and_run(gpointer data)
{
    HpmvizMeasurepane *pane = data;

    pane->save(pane->save_data);
}

static void
run_as_saved(gpointer data)
{
    hpmviz_measurepane_run(data);
}

void
hpmviz_measurepane_ask_to_save(HpmvizMeasurepane *pane, const char *names,
                               void (*save)(gpointer data), gpointer data)
{
    static const struct hpmviz_remedy remedies[] = {
        {N_("_Save and run"), save_and_run},
        {N_("Run _without"), run_as_saved},
        {NULL, NULL},
    };
    g_autofree char *sentence = g_strdup_printf(
        _("changes are not saved, and would not be measured: %s"), names);

    pane->save = save;
    pane->save_data = data;
    hpmviz_notice_tell(pane->notice, GTK_MESSAGE_QUESTION, sentence, remedies,
                       pane);
}

/* ---- which project --------------------------------------------------- */

struct search {
    char *source, **known;
};

static void
free_search(gpointer data)
{
    struct search *search = data;

    g_free(search->source);
    g_strfreev(search->known);
    g_free(search);
}

static void
search_folder(GTask *task, gpointer source, gpointer data,
              GCancellable *cancellable)
{
    const struct search *search = data;

    (void)source;
    (void)cancellable;
    g_task_return_pointer(
        task,
        hpmviz_project_find(search->source, (const char *const *)search->known),
        g_free);
}

/* Panes map what is in them when they have given it a size, and only what is
 * mapped can take the focus. */
static void
on_map(HpmvizMeasurepane *pane)
{
    if (pane->is_asking)
        gtk_widget_grab_focus(pane->command_entry);
    pane->is_asking = FALSE;
}

static void
ask_for_command(HpmvizMeasurepane *pane)
{
    pane->is_asking = TRUE;
    if (gtk_widget_get_mapped(pane->command_entry))
        on_map(pane);
}

static void
on_folder(GObject *object, GAsyncResult *result, gpointer data)
{
    HpmvizMeasurepane *pane = HPMVIZ_MEASUREPANE(object);
    g_autofree char *folder = g_task_propagate_pointer(G_TASK(result), NULL);
    g_autofree char *command = NULL;

    (void)data;
    if (pane->session == NULL || hpmviz_measurepane_is_running(pane))
        return;
    command = hpmviz_project_command(preferences(pane), folder);
    gtk_entry_set_text(GTK_ENTRY(pane->folder_entry), folder);
    if (*command != '\0')
        gtk_entry_set_text(GTK_ENTRY(pane->command_entry), command);
    if (pane->is_wanted && *command != '\0')
        g_signal_emit(pane, signals[ASKED], 0);
    else
        ask_for_command(pane);
}

/* What Run does, too, until another command of the menu. */
static void
set_function(HpmvizMeasurepane *pane, const char *source,
             const struct hpmviz_function *function)
{
    g_autofree char *name = g_path_get_basename(source);
    g_autofree char *text = NULL;

    g_free(pane->source);
    pane->source = g_strdup(source);
    hpmviz_function_clear(&pane->function);
    if (function != NULL) {
        pane->function = *function;
        pane->function.name = g_strdup(function->name);
        text = g_strdup_printf(_("measures the function %s (%s, line %u)"),
                               function->name, name, function->first);
        gtk_label_set_text(GTK_LABEL(pane->function_label), text);
    }
    gtk_widget_set_visible(pane->function_label, function != NULL);
}

void
hpmviz_measurepane_open(HpmvizMeasurepane *pane, const char *source,
                        const struct hpmviz_function *function,
                        gboolean is_wanted)
{
    struct search *search;
    GTask *task;

    gtk_widget_show(GTK_WIDGET(pane));
    if (hpmviz_measurepane_is_running(pane))
        return;
    set_function(pane, source, function);
    pane->is_wanted = is_wanted;
    search = g_new0(struct search, 1);
    search->source = g_strdup(source);
    search->known = hpmviz_project_known(preferences(pane));
    task = g_task_new(pane, NULL, on_folder, NULL);
    g_task_set_task_data(task, search, free_search);
    g_task_run_in_thread(task, search_folder);
    g_object_unref(task);
}

/* ---- places in the output -------------------------------------------- */

/* The place that the caret's line names; FALSE for none. */
static gboolean
choose(HpmvizMeasurepane *pane)
{
    int line;
    g_autofree char *file = hpmviz_outputtext_place(&pane->output, &line);

    if (file == NULL)
        return FALSE;
    g_signal_emit(pane, signals[CHOSEN], 0, file, line);
    return TRUE;
}

static gboolean
on_click(GtkWidget *view, GdkEventButton *event, gpointer data)
{
    HpmvizMeasurepane *pane = data;

    (void)view;
    if (event->button == GDK_BUTTON_PRIMARY &&
        !gtk_text_buffer_get_has_selection(
            gtk_text_view_get_buffer(pane->view)))
        choose(pane);
    return FALSE;
}

static gboolean
on_key(GtkWidget *view, GdkEventKey *event, gpointer data)
{
    (void)view;
    return (event->keyval == GDK_KEY_Return ||
            event->keyval == GDK_KEY_KP_Enter) &&
           choose(data);
}

/* ---- the object ------------------------------------------------------ */

/* A command does not outlive the window that shows what it does. */
static void
dispose(GObject *object)
{
    HpmvizMeasurepane *pane = HPMVIZ_MEASUREPANE(object);

    if (pane->planning != NULL)
        g_cancellable_cancel(pane->planning);
    g_clear_object(&pane->planning);
    drop_job(pane);
    g_clear_object(&pane->session);
    G_OBJECT_CLASS(hpmviz_measurepane_parent_class)->dispose(object);
}

static void
finalize(GObject *object)
{
    HpmvizMeasurepane *pane = HPMVIZ_MEASUREPANE(object);

    hpmviz_outputtext_clear(&pane->output);
    hpmviz_functionrun_free(pane->run);
    hpmviz_function_clear(&pane->function);
    g_free(pane->source);
    G_OBJECT_CLASS(hpmviz_measurepane_parent_class)->finalize(object);
}

static void
bind_template(GtkWidgetClass *widget)
{
    g_type_ensure(HPMVIZ_TYPE_NOTICE);
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/measurepane.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane, notice);
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane,
                                         command_entry);
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane,
                                         folder_entry);
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane, run_button);
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane,
                                         stop_button);
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane,
                                         state_label);
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane,
                                         function_label);
    gtk_widget_class_bind_template_child(widget, HpmvizMeasurepane, view);
    gtk_widget_class_bind_template_callback(widget, on_run);
    gtk_widget_class_bind_template_callback(widget, on_map);
    gtk_widget_class_bind_template_callback(widget, on_click);
    gtk_widget_class_bind_template_callback(widget, on_key);
    gtk_widget_class_bind_template_callback(widget, hpmviz_measurepane_stop);
    gtk_widget_class_bind_template_callback(widget, gtk_widget_hide);
}

static void
hpmviz_measurepane_class_init(HpmvizMeasurepaneClass *class)
{
    G_OBJECT_CLASS(class)->dispose = dispose;
    G_OBJECT_CLASS(class)->finalize = finalize;
    signals[ASKED] =
        g_signal_new("asked", HPMVIZ_TYPE_MEASUREPANE, G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[CHOSEN] = g_signal_new("chosen", HPMVIZ_TYPE_MEASUREPANE,
                                   G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_INT);
    signals[CHANGED] =
        g_signal_new("changed", HPMVIZ_TYPE_MEASUREPANE, G_SIGNAL_RUN_LAST, 0,
                     NULL, NULL, NULL, G_TYPE_NONE, 0);
    bind_template(GTK_WIDGET_CLASS(class));
}

static void
hpmviz_measurepane_init(HpmvizMeasurepane *pane)
{
    gtk_widget_init_template(GTK_WIDGET(pane));
    hpmviz_outputtext_init(&pane->output, pane->view);
}

GtkWidget *
hpmviz_measurepane_new(HpmvizSession *session)
{
    HpmvizMeasurepane *pane = g_object_new(HPMVIZ_TYPE_MEASUREPANE, NULL);

    pane->session = g_object_ref(session);
    return GTK_WIDGET(pane);
}
