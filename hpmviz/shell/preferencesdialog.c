/* SPDX-License-Identifier: BSD-3-Clause
 * Preferences, edited. */
#include "hpmviz/shell/preferencesdialog.h"

#include <glib/gi18n.h>

#include "hpmviz/shell/wordlist.h"

struct _HpmvizPreferencesdialog {
    GtkDialog parent_instance;
    HpmvizSession *session;
    GtkWidget *palette, *precision, *statistic, *theme, *restore, *sources,
        *editor, *editor_words;
    gboolean is_updating; /* what GTK tells is our own doing */
};

G_DEFINE_TYPE(HpmvizPreferencesdialog, hpmviz_preferencesdialog,
              GTK_TYPE_DIALOG)

/* ---- choices --------------------------------------------------------- */

static void
show(HpmvizPreferencesdialog *dialog)
{
    const struct hpmviz_view *view = hpmviz_session_view(dialog->session);
    const HpmvizPreferences *preferences =
        hpmviz_session_preferences(dialog->session);
    char *theme =
        hpmviz_preferences_get_string(preferences, "view", "theme", "system");

    dialog->is_updating = TRUE;
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(dialog->palette),
                                hpmviz_palette_name(view->palette));
    gtk_combo_box_set_active_id(
        GTK_COMBO_BOX(dialog->precision),
        view->precision == HPM_PRECISION_SINGLE ? "single" : "double");
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(dialog->statistic),
                                hpmviz_statistic_name(view->statistic));
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(dialog->theme), theme);
    gtk_toggle_button_set_active(
        GTK_TOGGLE_BUTTON(dialog->restore),
        hpmviz_preferences_get_flag(preferences, "session", "restore", TRUE));
    dialog->is_updating = FALSE;
    g_free(theme);
}

static void
on_choice(GtkComboBox *box, gpointer data)
{
    HpmvizPreferencesdialog *dialog = data;
    struct hpmviz_view view = *hpmviz_session_view(dialog->session);
    const char *id = gtk_combo_box_get_active_id(box);

    if (dialog->is_updating || id == NULL)
        return;
    if (GTK_WIDGET(box) == dialog->theme) {
        hpmviz_preferences_set_string(
            hpmviz_session_preferences(dialog->session), "view", "theme", id);
        return;
    }
    if (GTK_WIDGET(box) == dialog->palette)
        view.palette = hpmviz_palette_find(id);
    else if (GTK_WIDGET(box) == dialog->statistic)
        view.statistic = hpmviz_statistic_find(id);
    else
        view.precision = g_str_equal(id, "single") ? HPM_PRECISION_SINGLE
                                                   : HPM_PRECISION_DOUBLE;
    hpmviz_session_set_view(dialog->session, &view);
}

static void
on_restore(GtkToggleButton *button, gpointer data)
{
    HpmvizPreferencesdialog *dialog = data;

    if (!dialog->is_updating)
        hpmviz_preferences_set_flag(hpmviz_session_preferences(dialog->session),
                                    "session", "restore",
                                    gtk_toggle_button_get_active(button));
}

/* ---- the editor ------------------------------------------------------ */

/* Each word in quotes: it is seen what would be run, and that no shell reads
 * it. */
static void
show_words(HpmvizPreferencesdialog *dialog)
{
    const char *command = gtk_entry_get_text(GTK_ENTRY(dialog->editor));
    GString *text = g_string_new(NULL);
    GError *error = NULL;
    char **words;

    if (*command != '\0' && g_shell_parse_argv(command, NULL, &words, &error)) {
        g_string_append(text, _("runs, without a shell:"));
        for (char **at = words; *at != NULL; at++)
            g_string_append_printf(text, "  “%s”", *at);
        g_strfreev(words);
    } else if (error != NULL) {
        g_string_append(text, error->message);
        g_clear_error(&error);
    }
    gtk_label_set_text(GTK_LABEL(dialog->editor_words), text->str);
    g_string_free(text, TRUE);
}

static void
on_editor(GtkEditable *entry, gpointer data)
{
    HpmvizPreferencesdialog *dialog = data;
    const char *command = gtk_entry_get_text(GTK_ENTRY(entry));

    show_words(dialog);
    if (!dialog->is_updating)
        hpmviz_preferences_set_string(
            hpmviz_session_preferences(dialog->session), "editor", "command",
            *command != '\0' ? command : NULL);
}

static void
show_editor(HpmvizPreferencesdialog *dialog)
{
    char *command = hpmviz_preferences_get_string(
        hpmviz_session_preferences(dialog->session), "editor", "command", "");

    dialog->is_updating = TRUE;
    gtk_entry_set_text(GTK_ENTRY(dialog->editor), command);
    dialog->is_updating = FALSE;
    g_free(command);
}

/* ---- the object ------------------------------------------------------ */

static void
add_list(HpmvizPreferencesdialog *dialog, const char *key,
         enum hpmviz_word kind, const char *heading, const char *name)
{
    GtkWidget *label = gtk_label_new(heading);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_set_margin_top(label, 12);
    gtk_widget_show(label);
    gtk_box_pack_start(GTK_BOX(dialog->sources), label, FALSE, FALSE, 0);
    gtk_box_pack_start(
        GTK_BOX(dialog->sources),
        hpmviz_wordlist_new(hpmviz_session_preferences(dialog->session),
                            "sources", key, kind, name),
        TRUE, TRUE, 0);
}

static void
dispose(GObject *object)
{
    g_clear_object(&HPMVIZ_PREFERENCESDIALOG(object)->session);
    G_OBJECT_CLASS(hpmviz_preferencesdialog_parent_class)->dispose(object);
}

static void
hpmviz_preferencesdialog_class_init(HpmvizPreferencesdialogClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = dispose;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/preferencesdialog.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         palette);
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         precision);
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         statistic);
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         theme);
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         restore);
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         sources);
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         editor);
    gtk_widget_class_bind_template_child(widget, HpmvizPreferencesdialog,
                                         editor_words);
    gtk_widget_class_bind_template_callback(widget, on_choice);
    gtk_widget_class_bind_template_callback(widget, on_restore);
    gtk_widget_class_bind_template_callback(widget, on_editor);
}

static void
hpmviz_preferencesdialog_init(HpmvizPreferencesdialog *dialog)
{
    gtk_widget_init_template(GTK_WIDGET(dialog));
    g_signal_connect(dialog, "response", G_CALLBACK(gtk_widget_hide), NULL);
    g_signal_connect(dialog, "delete-event",
                     G_CALLBACK(gtk_widget_hide_on_delete), NULL);
}

static GtkWidget *
new_dialog(HpmvizSession *session, GtkWindow *parent)
{
    HpmvizPreferencesdialog *dialog = g_object_new(
        HPMVIZ_TYPE_PREFERENCESDIALOG, "transient-for", parent, NULL);
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);

    dialog->session = g_object_ref(session);
    add_list(dialog, "substitutions", HPMVIZ_WORD_SUBSTITUTION,
             _("Files recorded beneath one folder that are beneath another"),
             _("substitutions"));
    add_list(dialog, "search", HPMVIZ_WORD_FOLDER,
             _("Folders to look for sources in"), _("search folders"));
    show(dialog);
    show_editor(dialog);
    g_signal_connect_object(session, "viewed", G_CALLBACK(show), dialog,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(preferences, "changed::view.theme",
                            G_CALLBACK(show), dialog, G_CONNECT_SWAPPED);
    return GTK_WIDGET(dialog);
}

/* Hidden, not destroyed: to a screen reader GTK tells of its pages after they
 * have gone. */
void
hpmviz_preferencesdialog_show(HpmvizSession *session, GtkWindow *parent)
{
    static const char key[] = "preferences";
    GtkWidget *dialog = g_object_get_data(G_OBJECT(parent), key);

    if (dialog == NULL) {
        dialog = new_dialog(session, parent);
        g_object_set_data(G_OBJECT(parent), key, dialog);
    }
    gtk_window_present(GTK_WINDOW(dialog));
}
