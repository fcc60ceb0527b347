/* SPDX-License-Identifier: BSD-3-Clause
 * The dialog that asks for one task. */
#include "hpmviz/shell/taskchooser.h"

#include <glib/gi18n.h>

static const char spin_key[] = "hpmviz-spin";

static int
number_of(const struct hpm_study *study, size_t i)
{
    return study->tasks[i].number;
}

/* Tasks are numbered from 0 nearly always, but some may be missing. */
static gboolean
has_task(const struct hpm_study *study, int number)
{
    return hpm_study_find_task(study, number) != HPM_NO_INDEX;
}

static void
on_response(GtkDialog *dialog, int response, gpointer data)
{
    HpmvizSession *session = data;
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);
    GtkSpinButton *spin = g_object_get_data(G_OBJECT(dialog), spin_key);
    struct hpmviz_view view = *hpmviz_session_view(session);

    gtk_spin_button_update(spin);
    view.task = gtk_spin_button_get_value_as_int(spin);
    if (response == GTK_RESPONSE_OK && loaded != NULL) {
        if (!has_task(loaded->study, view.task)) {
            gtk_widget_error_bell(GTK_WIDGET(spin));
            gtk_entry_set_icon_from_icon_name(GTK_ENTRY(spin),
                                              GTK_ENTRY_ICON_PRIMARY,
                                              "dialog-warning-symbolic");
            gtk_entry_set_icon_tooltip_text(GTK_ENTRY(spin),
                                            GTK_ENTRY_ICON_PRIMARY,
                                            _("no file is of this task"));
            return;
        }
        view.statistic = HPMVIZ_STATISTIC_TASK;
        hpmviz_session_set_view(session, &view);
    }
    gtk_widget_destroy(GTK_WIDGET(dialog));
}

void
hpmviz_taskchooser_open(GtkWindow *window, HpmvizSession *session)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);
    GtkWidget *dialog, *spin, *label, *box;

    if (loaded == NULL || loaded->study->n_tasks == 0)
        return;
    dialog = gtk_dialog_new_with_buttons(
        _("Values of one task"), window,
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, _("_Cancel"),
        GTK_RESPONSE_CANCEL, _("_Show"), GTK_RESPONSE_OK, NULL);
    spin = gtk_spin_button_new_with_range(
        number_of(loaded->study, 0),
        number_of(loaded->study, loaded->study->n_tasks - 1), 1);
    label = gtk_label_new_with_mnemonic(_("_Task"));
    box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), spin);
    gtk_spin_button_set_value(GTK_SPIN_BUTTON(spin),
                              hpmviz_session_view(session)->task);
    gtk_entry_set_activates_default(GTK_ENTRY(spin), TRUE);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    gtk_container_set_border_width(GTK_CONTAINER(box), 12);
    gtk_container_add(GTK_CONTAINER(box), label);
    gtk_container_add(GTK_CONTAINER(box), spin);
    gtk_container_add(
        GTK_CONTAINER(gtk_dialog_get_content_area(GTK_DIALOG(dialog))), box);
    g_object_set_data(G_OBJECT(dialog), spin_key, spin);
    g_signal_connect_object(dialog, "response", G_CALLBACK(on_response),
                            session, 0);
    gtk_widget_show_all(dialog);
}
