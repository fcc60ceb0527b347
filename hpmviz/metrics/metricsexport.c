/* SPDX-License-Identifier: BSD-3-Clause
 * Export of a section's metrics as CSV. */
#include "hpmviz/metrics/metricsexport.h"

#include <glib/gi18n.h>

#include "hpmviz/widgets/filechooser.h"
#include "hpmviz/widgets/safetext.h"

struct hpmviz_metricsexport {
    GtkWindow *window;
    hpmviz_metricsexport_tell *tell;
    gpointer data;
    struct hpm_survey *survey; /* or NULL */
    size_t subject;
    struct hpmviz_csvjob *job; /* or NULL */
};

struct hpmviz_metricsexport *
hpmviz_metricsexport_new(GtkWindow *window, hpmviz_metricsexport_tell *tell,
                         gpointer data)
{
    struct hpmviz_metricsexport *export =
        g_new0(struct hpmviz_metricsexport, 1);

    export->window = window;
    export->tell = tell;
    export->data = data;
    return export;
}

void
hpmviz_metricsexport_free(struct hpmviz_metricsexport *export)
{
    if (export == NULL)
        return;
    hpmviz_csvjob_cancel(export->job);
    g_free(export);
}

void
hpmviz_metricsexport_set(struct hpmviz_metricsexport *export,
                         struct hpm_survey *survey, size_t subject)
{
    g_clear_pointer(&export->job, hpmviz_csvjob_cancel);
    export->survey = survey;
    export->subject = subject;
}

static void
on_written(const char *path, const GError *error, gpointer data)
{
    struct hpmviz_metricsexport *export = data;
    g_autofree char *name = g_filename_display_name(path);
    g_autofree char *written = g_strdup_printf(_("Written: %s"), name);

    export->job = NULL;
    if (error != NULL)
        export->tell(export->data, GTK_MESSAGE_ERROR, error->message);
    else
        export->tell(export->data, GTK_MESSAGE_INFO, written);
}

static void
export_to(char *const *names, gpointer data)
{
    struct hpmviz_metricsexport *export = data;

    if (export->survey != NULL && export->job == NULL)
        export->job = hpmviz_csvjob_start(export->survey, export->subject,
                                          *names, on_written, export);
}

/* A name that the section suggests. */
static char *
suggest_name(const struct hpmviz_metricsexport *export)
{
    struct hpm_string label = {0};
    g_autofree char *name = NULL;

    hpm_survey_add_label(export->survey, export->subject, &label);
    name = g_strdelimit(hpmviz_safe_take(&label), "/\\<>:\"|?* ", '_');
    return g_strconcat(name, ".csv", NULL);
}

void
hpmviz_metricsexport_ask(struct hpmviz_metricsexport *export)
{
    GtkFileChooserNative *native;
    g_autofree char *name = NULL;

    if (export->survey == NULL || export->job != NULL)
        return;
    native = gtk_file_chooser_native_new(_("Export as CSV"), export->window,
                                         GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _("_Save"), _("_Cancel"));
    name = suggest_name(export);
    gtk_file_chooser_set_do_overwrite_confirmation(GTK_FILE_CHOOSER(native),
                                                   TRUE);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(native), name);
    hpmviz_filechooser_ask(native, G_OBJECT(export->window), export_to, export);
}
