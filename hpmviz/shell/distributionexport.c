/* SPDX-License-Identifier: BSD-3-Clause
 * Files of what the window of distributions shows. */
#include "hpmviz/shell/distributionexport.h"

#include <glib/gi18n.h>

#include "hpmviz/data/distributiontext.h"
#include "hpmviz/data/export.h"
#include "hpmviz/shell/distributionoutput.h"
#include "hpmviz/widgets/cell.h"
#include "hpmviz/widgets/errordialog.h"

static void
write_csv(HpmvizPlaceswindow *window, const struct hpmviz_plotdata *data,
          const char *path)
{
    struct hpm_string text = {0};

    hpmviz_distribution_add_csv(data->x, NULL, &text);
    if (text.failed)
        hpmviz_errordialog_show(GTK_WINDOW(window),
                                _("there is not enough memory for the table"));
    else
        hpmviz_export_put_async(G_OBJECT(window), path, hpm_string_text(&text),
                                text.length, hpmviz_errordialog_on_written,
                                NULL);
    hpm_string_free(&text);
}

static void
write_picture(HpmvizPlaceswindow *window, const struct hpmviz_plotdata *data,
              const char *path)
{
    gboolean is_dark = hpmviz_cell_is_dark(GTK_WIDGET(window));
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = hpmviz_drawing_finish(
        hpmviz_distributionoutput_draw(data, NULL, is_dark), path, &error);

    if (bytes == NULL)
        hpmviz_errordialog_show(GTK_WINDOW(window), error->message);
    else
        hpmviz_export_put_async(
            G_OBJECT(window), path, g_bytes_get_data(bytes, NULL),
            g_bytes_get_size(bytes), hpmviz_errordialog_on_written, NULL);
}

/* What is shown may have changed since the dialog was opened: what is shown now is
 * written. */
static void
on_response(GtkNativeDialog *native, int response, gpointer data)
{
    HpmvizPlaceswindow *window = data;
    g_autofree char *path =
        gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(native));
    struct hpmviz_plotdata shown;

    if (response == GTK_RESPONSE_ACCEPT && path != NULL &&
        hpmviz_placeswindow_data(window, &shown)) {
        if (g_str_has_suffix(path, ".csv"))
            write_csv(window, &shown, path);
        else
            write_picture(window, &shown, path);
    }
    g_object_unref(native);
}

void
hpmviz_distributionexport_ask(HpmvizPlaceswindow *window)
{
    GtkFileChooserNative *native = gtk_file_chooser_native_new(
        _("Export the distribution"), GTK_WINDOW(window),
        GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
    GtkFileChooser *chooser = GTK_FILE_CHOOSER(native);

    gtk_file_chooser_set_do_overwrite_confirmation(chooser, TRUE);
    gtk_file_chooser_set_current_name(chooser, "distribution.svg");
    g_signal_connect_object(native, "response", G_CALLBACK(on_response), window,
                            0);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(native));
}
