/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all values of a section as CSV. */
#include "hpmviz/data/csvjob.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "hpmviz/data/export.h"
#include "study/report/report.h"

enum { STEP = 100 }; /* rows of a piece */

struct hpmviz_csvjob {
    struct hpm_survey *survey;
    size_t subject, next;
    struct hpm_string text;
    char *path;
    hpmviz_csvjob_done *done;
    gpointer data;
    guint idle; /* 0: all of the text is there, and is being written */
    gboolean is_cancelled;
};

static void
free_job(struct hpmviz_csvjob *job)
{
    hpm_string_free(&job->text);
    g_free(job->path);
    g_free(job);
}

static void
tell(struct hpmviz_csvjob *job, const GError *error)
{
    if (!job->is_cancelled)
        job->done(job->path, error, job->data);
    free_job(job);
}

static void
on_written(GObject *owner, GAsyncResult *result, gpointer data)
{
    GError *error = NULL;

    (void)owner;
    hpmviz_export_put_finish(result, &error);
    tell(data, error);
    g_clear_error(&error);
}

static void
finish(struct hpmviz_csvjob *job)
{
    GError *error = NULL;

    job->idle = 0;
    if (!job->text.failed) {
        hpmviz_export_put_async(NULL, job->path, hpm_string_text(&job->text),
                                job->text.length, on_written, job);
        return;
    }
    g_set_error_literal(&error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                        _("out of memory"));
    tell(job, error);
    g_clear_error(&error);
}

static gboolean
write_on(gpointer data)
{
    struct hpmviz_csvjob *job = data;

    job->next = hpm_report_add_section_csv(&job->text, job->survey,
                                           job->subject, job->next, STEP);
    if (job->next < job->survey->subjects[job->subject].count)
        return G_SOURCE_CONTINUE;
    finish(job);
    return G_SOURCE_REMOVE;
}

struct hpmviz_csvjob *
hpmviz_csvjob_start(struct hpm_survey *survey, size_t subject, const char *path,
                    hpmviz_csvjob_done *done, gpointer data)
{
    struct hpmviz_csvjob *job = g_new0(struct hpmviz_csvjob, 1);

    job->survey = survey;
    job->subject = subject;
    job->path = g_strdup(path);
    job->done = done;
    job->data = data;
    job->idle = g_idle_add(write_on, job);
    return job;
}

void
hpmviz_csvjob_cancel(struct hpmviz_csvjob *job)
{
    if (job == NULL)
        return;
    job->is_cancelled = TRUE;
    if (job->idle == 0) /* a thread writes, and tells us */
        return;
    g_source_remove(job->idle);
    free_job(job);
}
