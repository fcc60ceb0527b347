/* SPDX-License-Identifier: BSD-3-Clause
 * Commands for sources. */
#include "hpmviz/shell/sourcecommands.h"

#include <glib/gi18n.h>

/* ---- going there ----------------------------------------------------- */

static void
next(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_step(parts->source, 1);
}

static void
previous(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_step(parts->source, -1);
}

static void
next_line(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_step_line(parts->source, 1);
}

static void
previous_line(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_step_line(parts->source, -1);
}

static void
back(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_travel(parts->source, -1);
}

static void
forward(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_travel(parts->source, 1);
}

static void
on_line(GtkDialog *dialog, int response, gpointer data)
{
    struct hpmviz_parts *parts = data;
    GtkWidget *entry = g_object_get_data(G_OBJECT(dialog), "entry");

    if (response == GTK_RESPONSE_OK) {
        int line = gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(entry));

        hpmviz_sourcepane_go_to(parts->source, line);
        hpmviz_sourcepane_focus(parts->source);
    }
    gtk_widget_destroy(GTK_WIDGET(dialog));
}

static void
go_to_line(struct hpmviz_parts *parts)
{
    int n_lines = hpmviz_sourcepane_n_lines(parts->source);
    GtkWidget *dialog = gtk_dialog_new_with_buttons(
        _("Go to line"), GTK_WINDOW(parts->window),
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, _("_Cancel"),
        GTK_RESPONSE_CANCEL, _("_Go"), GTK_RESPONSE_OK, NULL);
    GtkWidget *entry = gtk_spin_button_new_with_range(1, MAX(n_lines, 2), 1);

    gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    atk_object_set_name(gtk_widget_get_accessible(entry), _("line"));
    gtk_box_pack_start(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog))),
                       entry, FALSE, FALSE, 12);
    g_object_set_data(G_OBJECT(dialog), "entry", entry);
    g_signal_connect(dialog, "response", G_CALLBACK(on_line), parts);
    gtk_widget_show_all(dialog);
}

/* ---- files ----------------------------------------------------------- */

static void
save(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_save(parts->source);
}

static void
save_as(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_save_as(parts->source);
}

static void
open_editor(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_open_editor(parts->source);
}

static void
close_source(struct hpmviz_parts *parts)
{
    hpmviz_sourcepane_close(parts->source);
}

static const struct hpmviz_command commands[] = {
    {"next", next},
    {"previous", previous},
    {"next-line", next_line},
    {"previous-line", previous_line},
    {"back", back},
    {"forward", forward},
    {"go-to-line", go_to_line},
    {"save", save},
    {"save-as", save_as},
    {"edit-source", open_editor},
    {"close-source", close_source},
};

void
hpmviz_sourcecommands_update(const struct hpmviz_parts *parts)
{
    HpmvizSourcepane *source = parts->source;
    gboolean has_section =
        hpmviz_session_section(parts->session,
                               hpmviz_session_selected(parts->session)) != NULL;
    gboolean has_page = hpmviz_sourcepane_has_page(source);
    gboolean has_samples = hpmviz_sourcepane_has_samples(source);
    gboolean has_file = hpmviz_sourcepane_has_file(source);
    const struct {
        const char *action;
        gboolean is_enabled;
    } states[] = {
        {"next", has_section},
        {"previous", has_section},
        {"next-line", has_samples},
        {"previous-line", has_samples},
        {"back", hpmviz_sourcepane_can_travel(source, -1)},
        {"forward", hpmviz_sourcepane_can_travel(source, 1)},
        {"go-to-line", has_file},
        {"save", hpmviz_sourcepane_is_page_modified(source)},
        {"save-as", has_file},
        {"edit-source", has_file},
        {"close-source", has_page},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
        hpmviz_parts_enable(parts, states[i].action, states[i].is_enabled);
}

void
hpmviz_sourcecommands_add(struct hpmviz_parts *parts)
{
    hpmviz_parts_add(parts, commands, G_N_ELEMENTS(commands));
}
