/* SPDX-License-Identifier: BSD-3-Clause
 * Running the user's editor, after its command was seen. */
#include "hpmviz/source/editordialog.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "base/string.h"
#include "hpmviz/source/editor.h"

struct asking {
    GtkWidget *dialog, *entry, *label;
    HpmvizPreferences *preferences;
    HpmvizDocument *document;
    int line;
    hpmviz_editordialog_failed *failed;
    gpointer data;
};

/* The words as they would be typed. */
static char *
quote(char *const *command)
{
    GString *text = g_string_new(NULL);

    for (; *command != NULL; command++) {
        char *word = g_shell_quote(*command);

        g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", word);
        g_free(word);
    }
    return g_string_free(text, FALSE);
}

static void
show_command(struct asking *asking)
{
    GError *error = NULL;
    char **command = hpmviz_editor_command(
        gtk_entry_get_text(GTK_ENTRY(asking->entry)), hpmviz_editor_terminal(),
        hpmviz_document_path(asking->document), asking->line, &error);
    char *text = command != NULL ? quote(command) : g_strdup(error->message);
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, text);
    gtk_label_set_text(GTK_LABEL(asking->label), hpm_string_text(&safe));
    gtk_dialog_set_response_sensitive(GTK_DIALOG(asking->dialog),
                                      GTK_RESPONSE_OK, command != NULL);
    hpm_string_free(&safe);
    g_clear_error(&error);
    g_strfreev(command);
    g_free(text);
}

static void
fill_dialog(struct asking *asking, const char *setting)
{
    GtkWidget *area = gtk_dialog_get_content_area(GTK_DIALOG(asking->dialog));
    GtkWidget *heading = gtk_label_new_with_mnemonic(
        _("Command of the _editor; %f and %l stand for file and line:"));

    gtk_container_set_border_width(GTK_CONTAINER(area), 12);
    gtk_box_set_spacing(GTK_BOX(area), 6);
    asking->entry = gtk_entry_new();
    asking->label = gtk_label_new(NULL);
    gtk_entry_set_text(GTK_ENTRY(asking->entry), setting);
    gtk_entry_set_width_chars(GTK_ENTRY(asking->entry), 50);
    gtk_entry_set_activates_default(GTK_ENTRY(asking->entry), TRUE);
    gtk_label_set_mnemonic_widget(GTK_LABEL(heading), asking->entry);
    gtk_label_set_xalign(GTK_LABEL(heading), 0);
    gtk_label_set_xalign(GTK_LABEL(asking->label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(asking->label), TRUE);
    gtk_label_set_line_wrap_mode(GTK_LABEL(asking->label),
                                 PANGO_WRAP_WORD_CHAR);
    gtk_label_set_max_width_chars(GTK_LABEL(asking->label), 60);
    gtk_label_set_selectable(GTK_LABEL(asking->label), TRUE);
    atk_object_set_name(gtk_widget_get_accessible(asking->entry),
                        _("command of the editor"));
    gtk_container_add(GTK_CONTAINER(area), heading);
    gtk_container_add(GTK_CONTAINER(area), asking->entry);
    gtk_container_add(GTK_CONTAINER(area), asking->label);
    gtk_widget_show_all(area);
    g_signal_connect_swapped(asking->entry, "changed", G_CALLBACK(show_command),
                             asking);
}

/* Editors follow links.  What others wrote or removed is theirs to show. */
static gboolean
is_confined(const HpmvizDocument *document, GError **error)
{
    GError *reason = NULL;

    if (hpmviz_document_is_same_outside(document, &reason))
        return TRUE;
    if (g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG)) {
        g_error_free(reason);
        return TRUE;
    }
    g_propagate_error(error, reason);
    return FALSE;
}

static void
run(const struct asking *asking, const char *setting)
{
    GError *error = NULL;
    char **command = hpmviz_editor_command(
        setting, hpmviz_editor_terminal(),
        hpmviz_document_path(asking->document), asking->line, &error);

    if (command == NULL || !is_confined(asking->document, &error) ||
        !g_spawn_async(NULL, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                       NULL, &error))
        asking->failed(error->message, asking->data);
    g_clear_error(&error);
    g_strfreev(command);
}

/* ---- asking ---------------------------------------------------------- */

static void
free_asking(gpointer data)
{
    struct asking *asking = data;

    g_object_unref(asking->document);
    g_object_unref(asking->preferences);
    g_free(asking);
}

static void
on_response(struct asking *asking, int response)
{
    char *chosen = g_strdup(gtk_entry_get_text(GTK_ENTRY(asking->entry)));
    char *setting = hpmviz_editor_setting(asking->preferences);

    gtk_widget_hide(asking->dialog);
    if (response == GTK_RESPONSE_OK) {
        if (!g_str_equal(chosen, setting))
            hpmviz_preferences_set_string(asking->preferences, "editor",
                                          "command", chosen);
        hpmviz_preferences_set_string(asking->preferences, "editor", "seen",
                                      chosen);
        run(asking, chosen);
    }
    g_free(setting);
    g_free(chosen);
    gtk_widget_destroy(asking->dialog); /* and `asking` with it */
}

static void
ask(struct asking *asking, GtkWindow *parent, const char *setting)
{
    asking->dialog = gtk_dialog_new_with_buttons(
        _("Open in editor"), parent,
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, _("_Cancel"),
        GTK_RESPONSE_CANCEL, _("_Run it"), GTK_RESPONSE_OK, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(asking->dialog),
                                    GTK_RESPONSE_OK);
    g_object_set_data_full(G_OBJECT(asking->dialog), "asking", asking,
                           free_asking);
    fill_dialog(asking, setting);
    show_command(asking);
    g_signal_connect_swapped(asking->dialog, "response",
                             G_CALLBACK(on_response), asking);
    gtk_widget_show(asking->dialog);
}

void
hpmviz_editordialog_open(GtkWindow *parent, HpmvizPreferences *preferences,
                         HpmvizDocument *document, int line,
                         hpmviz_editordialog_failed *failed, gpointer data)
{
    struct asking *asking = g_new0(struct asking, 1);
    char *setting = hpmviz_editor_setting(preferences);
    char *known =
        hpmviz_preferences_get_string(preferences, "editor", "seen", "");

    *asking = (struct asking){
        .preferences = g_object_ref(preferences),
        .document = g_object_ref(document),
        .line = line,
        .failed = failed,
        .data = data,
    };
    if (*setting == '\0' || !g_str_equal(setting, known)) {
        ask(asking, parent, setting);
    } else {
        run(asking, setting);
        free_asking(asking);
    }
    g_free(known);
    g_free(setting);
}
