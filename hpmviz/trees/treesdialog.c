/* SPDX-License-Identifier: BSD-3-Clause
 * Asks where to write the linked trees as CSV. */
#include "hpmviz/trees/treesdialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/data/export.h"
#include "hpmviz/data/treesexport.h"
#include "hpmviz/widgets/errordialog.h"

static const char csv_key[] = "hpmviz-csv";

static void
on_response(GtkNativeDialog *dialog, int response)
{
    const char *csv = g_object_get_data(G_OBJECT(dialog), csv_key);
    GtkWindow *parent = gtk_native_dialog_get_transient_for(dialog);
    g_autofree char *path =
        gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(dialog));

    if (response == GTK_RESPONSE_ACCEPT && path != NULL)
        hpmviz_export_put_async(G_OBJECT(parent), path, csv, strlen(csv),
                                hpmviz_errordialog_on_written, NULL);
    g_object_unref(dialog);
}

static void
ask(GtkWindow *parent, char *csv)
{
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Export trees as CSV"), parent, GTK_FILE_CHOOSER_ACTION_SAVE,
        _("_Export"), _("_Cancel"));

    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_file_chooser_set_do_overwrite_confirmation(GTK_FILE_CHOOSER(dialog),
                                                   TRUE);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), "trees.csv");
    g_object_set_data_full(G_OBJECT(dialog), csv_key, csv, g_free);
    g_signal_connect(dialog, "response", G_CALLBACK(on_response), NULL);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

/* ---- the table ------------------------------------------------------- */

/* Nodes in a piece of work, which takes about a millisecond. */
enum { PIECE = 50 };

struct hpmviz_treesdialog {
    GtkWindow *parent;
    struct hpmviz_treesexport *export;
    gboolean has_begun_system;
    struct hpmviz_treesdialog **owner; /* is set to NULL at the end */
    guint idle;
};

static void
end(struct hpmviz_treesdialog *dialog)
{
    g_autofree char *csv = hpmviz_treesexport_finish(dialog->export);

    *dialog->owner = NULL;
    if (csv == NULL)
        hpmviz_errordialog_show(dialog->parent,
                                _("there is not enough memory for the table"));
    else
        ask(dialog->parent, g_steal_pointer(&csv));
    g_free(dialog);
}

static gboolean
work(gpointer data)
{
    struct hpmviz_treesdialog *dialog = data;

    if (hpmviz_treesexport_work(dialog->export, PIECE))
        return G_SOURCE_CONTINUE;
    if (!dialog->has_begun_system) {
        hpmviz_treesexport_begin_system(dialog->export);
        dialog->has_begun_system = TRUE;
        return G_SOURCE_CONTINUE;
    }
    end(dialog);
    return G_SOURCE_REMOVE;
}

/* What is shown may change while the user chooses: the text is made before. */
void
hpmviz_treesdialog_open(GtkWindow *parent, const struct hpmviz_trees *trees,
                        struct hpmviz_treesdialog **ret_dialog)
{
    struct hpmviz_treesdialog *dialog = g_new0(struct hpmviz_treesdialog, 1);

    dialog->parent = parent;
    dialog->export = hpmviz_treesexport_new(trees);
    dialog->owner = ret_dialog;
    dialog->idle = g_idle_add(work, dialog);
    *ret_dialog = dialog;
}

void
hpmviz_treesdialog_cancel(struct hpmviz_treesdialog **dialog)
{
    if (*dialog == NULL)
        return;
    g_source_remove((*dialog)->idle);
    g_free(hpmviz_treesexport_finish((*dialog)->export));
    g_clear_pointer(dialog, g_free);
}
