/* SPDX-License-Identifier: BSD-3-Clause
 * The user's command that builds and runs a program. */
#include "hpmviz/measure/job.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK = 65536,       /* bytes of output at a time */
    PATIENCE = 3,        /* seconds from SIGTERM to SIGKILL */
    LONGEST_LINE = 4000, /* bytes; what is longer is divided */
    LAST_WORDS = 500,    /* milliseconds for output after the command's end */
};

struct _HpmvizJob {
    GObject parent_instance;
    char *folder, *command, *output;
    GSubprocess *process;
    pid_t group;
    GCancellable *reading;
    GString *line; /* of the output, so far */
    char **files;
    char *result;
    gboolean is_running, is_good, is_stopped, is_over;
    gboolean is_read;       /* the output has ended */
    guint killing, closing; /* sources */
};

G_DEFINE_TYPE(HpmvizJob, hpmviz_job, G_TYPE_OBJECT)

enum { STARTED, OUTPUT, ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- the files that came --------------------------------------------- */

static void
list_files(GTask *task, gpointer source, gpointer data,
           GCancellable *cancellable)
{
    const char *folder = data;
    GPtrArray *files = g_ptr_array_new();
    GDir *entries = g_dir_open(folder, 0, NULL);
    const char *name;

    (void)source;
    (void)cancellable;
    while (entries != NULL && (name = g_dir_read_name(entries)) != NULL) {
        if (strstr(name, ".hpm.xml") != NULL &&
            !g_str_has_suffix(name, ".journal"))
            g_ptr_array_add(files, g_build_filename(folder, name, NULL));
    }
    if (entries != NULL)
        g_dir_close(entries);
    if (files->len == 0)
        g_rmdir(folder); /* nothing is in it */
    g_ptr_array_add(files, NULL);
    g_task_return_pointer(task, g_ptr_array_free(files, FALSE),
                          (GDestroyNotify)(GCallback)g_strfreev);
}

static void
end(HpmvizJob *job)
{
    job->is_running = FALSE;
    g_signal_emit(job, signals[ENDED], 0);
}

static void
on_listed(GObject *object, GAsyncResult *result, gpointer data)
{
    HpmvizJob *job = HPMVIZ_JOB(object);

    (void)data;
    g_strfreev(job->files);
    job->files = g_task_propagate_pointer(G_TASK(result), NULL);
    end(job);
}

static void
look_for_files(HpmvizJob *job)
{
    GTask *task = g_task_new(job, NULL, on_listed, NULL);

    g_task_set_task_data(task, g_strdup(job->output), g_free);
    g_task_run_in_thread(task, list_files);
    g_object_unref(task);
}

/* ---- what the command writes ----------------------------------------- */

static void
tell_line(HpmvizJob *job)
{
    char *valid;

    if (job->line->len > 0 && job->line->str[job->line->len - 1] == '\r')
        g_string_truncate(job->line, job->line->len - 1);
    valid = g_utf8_make_valid(job->line->str, (gssize)job->line->len);
    g_signal_emit(job, signals[OUTPUT], 0, valid);
    g_free(valid);
    g_string_truncate(job->line, 0);
}

static void
take_bytes(HpmvizJob *job, const char *bytes, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        if (bytes[i] == '\n' || job->line->len >= LONGEST_LINE)
            tell_line(job);
        if (bytes[i] != '\n')
            g_string_append_c(job->line, bytes[i]);
    }
}

static void
finish(HpmvizJob *job)
{
    if (job->is_over)
        return;
    job->is_over = TRUE;
    if (job->closing != 0)
        g_source_remove(job->closing);
    job->closing = 0;
    if (job->line->len > 0)
        tell_line(job);
    look_for_files(job);
}

static void read_more(HpmvizJob *job);

static void
on_read(GObject *stream, GAsyncResult *result, gpointer data)
{
    HpmvizJob *job = data;
    GBytes *bytes =
        g_input_stream_read_bytes_finish(G_INPUT_STREAM(stream), result, NULL);
    gsize n = 0;
    const char *start = bytes != NULL ? g_bytes_get_data(bytes, &n) : NULL;

    if (n > 0 && !job->is_over) {
        take_bytes(job, start, n);
        read_more(job);
    } else {
        job->is_read = TRUE;
        if (job->result != NULL)
            finish(job);
    }
    if (bytes != NULL)
        g_bytes_unref(bytes);
    g_object_unref(job);
}

/* What the user does comes first, however much the command writes. */
static void
read_more(HpmvizJob *job)
{
    g_input_stream_read_bytes_async(g_subprocess_get_stdout_pipe(job->process),
                                    CHUNK, G_PRIORITY_LOW, job->reading,
                                    on_read, g_object_ref(job));
}

/* ---- its end --------------------------------------------------------- */

/* A process in the background may hold the pipe open for ever. */
static gboolean
stop_reading(gpointer data)
{
    HpmvizJob *job = data;

    job->closing = 0;
    g_cancellable_cancel(job->reading);
    return G_SOURCE_REMOVE;
}

static char *
describe_end(HpmvizJob *job)
{
    if (job->is_stopped)
        return g_strdup(_("the command was stopped"));
    if (g_subprocess_get_if_exited(job->process))
        return g_strdup_printf(_("the command ended with status %d"),
                               g_subprocess_get_exit_status(job->process));
    return g_strdup_printf(
        _("the command was ended by signal %d (%s)"),
        g_subprocess_get_term_sig(job->process),
        g_strsignal(g_subprocess_get_term_sig(job->process)));
}

static void
on_waited(GObject *process, GAsyncResult *result, gpointer data)
{
    HpmvizJob *job = data;

    g_subprocess_wait_finish(G_SUBPROCESS(process), result, NULL);
    job->is_good =
        !job->is_stopped && g_subprocess_get_successful(job->process);
    job->result = describe_end(job);
    if (job->is_read)
        finish(job);
    else
        job->closing = g_timeout_add(LAST_WORDS, stop_reading, job);
    g_object_unref(job);
}

/* ---- its begin ------------------------------------------------------- */

/* The group gets what is sent to stop the command. */
static void
become_leader(gpointer data)
{
    (void)data;
    setsid();
}

static gboolean
spawn(HpmvizJob *job, GError **error)
{
    GSubprocessLauncher *launcher = g_subprocess_launcher_new(
        G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
    g_autofree char *name =
        g_build_filename(job->output, "%n_%r_%p.hpm.xml", NULL);

    g_subprocess_launcher_set_cwd(launcher, job->folder);
    g_subprocess_launcher_setenv(launcher, "HPM_OUTPUT_NAME", name, TRUE);
    g_subprocess_launcher_set_child_setup(launcher, become_leader, NULL, NULL);
    job->process = g_subprocess_launcher_spawn(launcher, error, "/bin/sh", "-c",
                                               job->command, NULL);
    g_object_unref(launcher);
    return job->process != NULL;
}

static void
fail(HpmvizJob *job, const GError *error)
{
    job->result =
        g_strdup_printf(_("the command cannot be run: %s"), error->message);
    end(job);
}

/* A folder of its own in the user's data, named after the time. */
static void
make_folder(GTask *task, gpointer source, gpointer data,
            GCancellable *cancellable)
{
    g_autoptr(GDateTime) now = g_date_time_new_now_local();
    g_autofree char *name = g_date_time_format(now, "%Y%m%d-%H%M%S-XXXXXX");
    g_autofree char *runs =
        g_build_filename(g_get_user_data_dir(), "hpm-toolkit", "runs", NULL);
    char *folder = g_build_filename(runs, name, NULL);

    (void)source;
    (void)data;
    (void)cancellable;
    if (g_mkdir_with_parents(runs, 0700) == 0 && g_mkdtemp(folder) != NULL) {
        g_task_return_pointer(task, folder, g_free);
        return;
    }
    g_task_return_new_error(task, G_IO_ERROR,
                            (gint)g_io_error_from_errno(errno), "%s: %s",
                            folder, g_strerror(errno));
    g_free(folder);
}

/* A command that has ended already has no number any more, and is no group that
 * could be stopped: 0. */
static pid_t
group_of(GSubprocess *process)
{
    const char *number = g_subprocess_get_identifier(process);

    return number != NULL ? (pid_t)strtol(number, NULL, 10) : 0;
}

static void
on_folder(GObject *object, GAsyncResult *result, gpointer data)
{
    HpmvizJob *job = HPMVIZ_JOB(object);
    g_autoptr(GError) error = NULL;

    (void)data;
    job->output = g_task_propagate_pointer(G_TASK(result), &error);
    if (job->is_stopped) {
        job->result = describe_end(job);
        end(job);
        return;
    }
    if (job->output == NULL || !spawn(job, &error)) {
        fail(job, error);
        return;
    }
    job->group = group_of(job->process);
    g_signal_emit(job, signals[STARTED], 0);
    read_more(job);
    g_subprocess_wait_async(job->process, NULL, on_waited, g_object_ref(job));
}

void
hpmviz_job_start(HpmvizJob *job, const char *folder, const char *command)
{
    GTask *task = g_task_new(job, NULL, on_folder, NULL);

    job->folder = g_strdup(folder);
    job->command = g_strdup(command);
    job->is_running = TRUE;
    g_task_run_in_thread(task, make_folder);
    g_object_unref(task);
}

/* ---- stopping -------------------------------------------------------- */

static gboolean
kill_group(gpointer data)
{
    HpmvizJob *job = data;

    job->killing = 0;
    kill(-job->group, SIGKILL);
    g_object_unref(job);
    return G_SOURCE_REMOVE;
}

void
hpmviz_job_stop(HpmvizJob *job)
{
    if (!job->is_running || job->is_stopped)
        return;
    job->is_stopped = TRUE;
    if (job->group <= 0)
        return;
    kill(-job->group, SIGTERM);
    job->killing =
        g_timeout_add_seconds(PATIENCE, kill_group, g_object_ref(job));
}

/* ---- the object ------------------------------------------------------ */

gboolean
hpmviz_job_is_running(const HpmvizJob *job)
{
    return job->is_running;
}

const char *
hpmviz_job_output(const HpmvizJob *job)
{
    return job->output;
}

char *const *
hpmviz_job_files(const HpmvizJob *job)
{
    return job->files;
}

const char *
hpmviz_job_result(const HpmvizJob *job)
{
    return job->result;
}

gboolean
hpmviz_job_is_good(const HpmvizJob *job)
{
    return job->is_good;
}

static void
finalize(GObject *object)
{
    HpmvizJob *job = HPMVIZ_JOB(object);

    if (job->closing != 0)
        g_source_remove(job->closing);
    g_clear_object(&job->process);
    g_clear_object(&job->reading);
    g_string_free(job->line, TRUE);
    g_strfreev(job->files);
    g_free(job->result);
    g_free(job->output);
    g_free(job->command);
    g_free(job->folder);
    G_OBJECT_CLASS(hpmviz_job_parent_class)->finalize(object);
}

static void
hpmviz_job_class_init(HpmvizJobClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
    signals[STARTED] =
        g_signal_new("started", HPMVIZ_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL,
                     NULL, NULL, G_TYPE_NONE, 0);
    signals[OUTPUT] =
        g_signal_new("output", HPMVIZ_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL,
                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
    signals[ENDED] = g_signal_new("ended", HPMVIZ_TYPE_JOB, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_job_init(HpmvizJob *job)
{
    job->reading = g_cancellable_new();
    job->line = g_string_new(NULL);
    job->files = g_new0(char *, 1);
}

HpmvizJob *
hpmviz_job_new(void)
{
    return g_object_new(HPMVIZ_TYPE_JOB, NULL);
}
