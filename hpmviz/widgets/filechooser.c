/* SPDX-License-Identifier: BSD-3-Clause
 * Asking for files. */
#include "hpmviz/widgets/filechooser.h"

struct question {
    GtkFileChooserNative *dialog;
    GObject *owner; /* NULL once it is gone */
    hpmviz_filechooser_chosen *chosen;
    gpointer data;
};

static void on_owner_gone(gpointer data, GObject *owner);

static void
end(struct question *question)
{
    if (question->owner != NULL)
        g_object_weak_unref(question->owner, on_owner_gone, question);
    g_signal_handlers_disconnect_by_data(question->dialog, question);
    gtk_native_dialog_destroy(GTK_NATIVE_DIALOG(question->dialog));
    g_object_unref(question->dialog);
    g_free(question);
}

static void
on_owner_gone(gpointer data, GObject *owner)
{
    struct question *question = data;

    (void)owner;
    question->owner = NULL;
    end(question);
}

static char **
names_of(GtkFileChooser *chooser)
{
    GSList *list = gtk_file_chooser_get_filenames(chooser);
    GPtrArray *names = g_ptr_array_new();

    for (GSList *at = list; at != NULL; at = at->next)
        g_ptr_array_add(names, at->data);
    g_slist_free(list);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

/* The dialog is gone when the answer is acted on: that may open another one. */
static void
on_response(GtkNativeDialog *dialog, int response, gpointer data)
{
    struct question *question = data;
    hpmviz_filechooser_chosen *chosen = question->chosen;
    gpointer chosen_data = question->data;
    GObject *owner = g_object_ref(question->owner);
    char **names = response == GTK_RESPONSE_ACCEPT
                       ? names_of(GTK_FILE_CHOOSER(dialog))
                       : NULL;

    end(question);
    if (names != NULL && *names != NULL)
        chosen(names, chosen_data);
    g_strfreev(names);
    g_object_unref(owner);
}

void
hpmviz_filechooser_ask(GtkFileChooserNative *dialog, GObject *owner,
                       hpmviz_filechooser_chosen *chosen, gpointer data)
{
    struct question *question = g_new0(struct question, 1);

    question->dialog = dialog;
    question->owner = owner;
    question->chosen = chosen;
    question->data = data;
    g_object_weak_ref(owner, on_owner_gone, question);
    g_signal_connect(dialog, "response", G_CALLBACK(on_response), question);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}
