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

/* What is shown may change while the user chooses: the text is made before. */
static char *
make_csv(const struct hpmviz_trees *trees)
{
    struct hpmviz_treesexport *export = hpmviz_treesexport_new(trees);
    struct hpm_string text = {0};
    char *csv;

    hpmviz_treesexport_add_system(export);
    hpmviz_treesexport_finish(export, &text);
    csv = text.failed ? NULL : g_strdup(hpm_string_text(&text));
    hpm_string_free(&text);
    return csv;
}

void
hpmviz_treesdialog_open(GtkWindow *parent, const struct hpmviz_trees *trees)
{
    char *csv = make_csv(trees);
    GtkFileChooserNative *dialog;

    if (csv == NULL) {
        hpmviz_errordialog_show(parent,
                                _("there is not enough memory for the table"));
        return;
    }
    dialog = gtk_file_chooser_native_new(_("Export trees as CSV"), parent,
                                         GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _("_Export"), _("_Cancel"));
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_file_chooser_set_do_overwrite_confirmation(GTK_FILE_CHOOSER(dialog),
                                                   TRUE);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), "trees.csv");
    g_object_set_data_full(G_OBJECT(dialog), csv_key, csv, g_free);
    g_signal_connect(dialog, "response", G_CALLBACK(on_response), NULL);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}
