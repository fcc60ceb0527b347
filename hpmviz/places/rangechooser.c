/* SPDX-License-Identifier: BSD-3-Clause
 * The dialog that asks for ranges of tasks and threads. */
#include "hpmviz/places/rangechooser.h"

#include <glib/gi18n.h>

#include "hpmviz/data/choice.h"
#include "hpmviz/widgets/safetext.h"

static const char tasks_key[] = "tasks", threads_key[] = "threads",
                  problem_key[] = "problem";

static const char *
text_of(GtkDialog *dialog, const char *key)
{
    return gtk_entry_get_text(
        GTK_ENTRY(g_object_get_data(G_OBJECT(dialog), key)));
}

/* Is there nothing left to ask? */
static gboolean
choose(GtkDialog *dialog, HpmvizSession *session)
{
    GtkWidget *label = g_object_get_data(G_OBJECT(dialog), problem_key);
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);
    g_autofree char *problem = NULL, *safe = NULL;
    struct hpmviz_choice *choice;

    if (loaded == NULL)
        return TRUE;
    choice = hpmviz_choice_of_ranges(loaded, text_of(dialog, tasks_key),
                                     text_of(dialog, threads_key), &problem);
    if (choice != NULL) {
        hpmviz_session_choose_places(session, choice->are_kept, choice->name);
        hpmviz_choice_free(choice);
        return TRUE;
    }
    safe = hpmviz_safe_line(problem);
    gtk_label_set_text(GTK_LABEL(label), safe);
    gtk_widget_show(label);
    return FALSE;
}

static void
on_response(GtkDialog *dialog, int response, gpointer data)
{
    if (response != GTK_RESPONSE_OK || choose(dialog, data))
        gtk_widget_destroy(GTK_WIDGET(dialog));
}

static void
add_entry(GtkDialog *dialog, GtkGrid *grid, int row, const char *key,
          const char *title, const char *name)
{
    GtkWidget *label = gtk_label_new_with_mnemonic(title);
    GtkWidget *entry = gtk_entry_new();

    gtk_label_set_mnemonic_widget(GTK_LABEL(label), entry);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
    gtk_entry_set_placeholder_text(GTK_ENTRY(entry), _("all"));
    gtk_widget_set_hexpand(entry, TRUE);
    atk_object_set_name(gtk_widget_get_accessible(entry), name);
    gtk_grid_attach(grid, label, 0, row, 1, 1);
    gtk_grid_attach(grid, entry, 1, row, 1, 1);
    g_object_set_data(G_OBJECT(dialog), key, entry);
}

static GtkWidget *
new_line(const char *text)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 50);
    return label;
}

static void
fill(GtkDialog *dialog)
{
    GtkGrid *grid = GTK_GRID(gtk_grid_new());
    GtkWidget *problem = new_line(NULL);

    gtk_container_set_border_width(GTK_CONTAINER(grid), 12);
    gtk_grid_set_row_spacing(grid, 6);
    gtk_grid_set_column_spacing(grid, 12);
    gtk_grid_attach(grid,
                    new_line(_("Numbers and ranges, such as 0-7, 12, 16-64:4 "
                               "(every fourth); nothing for all.")),
                    0, 0, 2, 1);
    add_entry(dialog, grid, 1, tasks_key, _("_Tasks"), _("tasks"));
    add_entry(dialog, grid, 2, threads_key, _("T_hreads"), _("threads"));
    gtk_grid_attach(grid, problem, 0, 3, 2, 1);
    gtk_container_add(GTK_CONTAINER(gtk_dialog_get_content_area(dialog)),
                      GTK_WIDGET(grid));
    gtk_widget_show_all(GTK_WIDGET(grid));
    gtk_widget_hide(problem);
    g_object_set_data(G_OBJECT(dialog), problem_key, problem);
}

void
hpmviz_rangechooser_open(GtkWindow *window, HpmvizSession *session)
{
    GtkWidget *dialog;

    if (hpmviz_session_loaded(session) == NULL)
        return;
    dialog = gtk_dialog_new_with_buttons(
        _("Only some tasks and threads"), window,
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, _("_Cancel"),
        GTK_RESPONSE_CANCEL, _("_Show"), GTK_RESPONSE_OK, NULL);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    fill(GTK_DIALOG(dialog));
    g_signal_connect_object(dialog, "response", G_CALLBACK(on_response),
                            session, 0);
    gtk_widget_show(dialog);
}
