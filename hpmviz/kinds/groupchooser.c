/* SPDX-License-Identifier: BSD-3-Clause
 * Which group of threads is shown. */
#include "hpmviz/kinds/groupchooser.h"

#include <glib/gi18n.h>

#include "hpmviz/data/restriction.h"
#include "hpmviz/widgets/safetext.h"

static const char session_key[] = "hpmviz-session", group_key[] = "group";

enum { N_COLOURS = 8 };

/* Of a light theme, and of a dark one. */
static const char *const colours[][N_COLOURS] = {
    {"#2f6fb2", "#a35a00", "#1d7f68", "#96488a", "#7b5e1d", "#3a6ea8",
     "#b04a2f", "#4f7a28"},
    {"#7fb4ec", "#e8a34f", "#58c4a4", "#d894cc", "#cdb06a", "#93bdf2",
     "#f0937a", "#9acb6c"}};

const char *
hpmviz_groupchooser_colour(gboolean is_dark, size_t group)
{
    return colours[is_dark ? 1 : 0][group % N_COLOURS];
}

/* Groups are kept by their number and one, for NULL to be all. */
static void
on_toggled(GtkToggleButton *button)
{
    HpmvizSession *session = g_object_get_data(G_OBJECT(button), session_key);
    size_t group =
        GPOINTER_TO_SIZE(g_object_get_data(G_OBJECT(button), group_key));

    if (gtk_toggle_button_get_active(button))
        hpmviz_session_restrict(session,
                                group > 0 ? group - 1 : HPMVIZ_NO_GROUP);
}

static char *
describe(const struct hpm_kindmembers *members, size_t c)
{
    char *name, *line;

    if (c == HPMVIZ_NO_GROUP)
        return g_strdup_printf(members->are_threads ? _("all %zu threads")
                                                    : _("all %zu tasks"),
                               members->n);
    name = hpmviz_restriction_name(&members->groups[c]);
    line = g_strdup_printf(members->are_threads
                               ? _("only group %zu, %zu threads: %s")
                               : _("only group %zu, %zu tasks: %s"),
                           c + 1, members->groups[c].n, name);
    g_free(name);
    return line;
}

/* A dot in its colour stands before a group, as in the pictures. */
static GtkWidget *
new_line(const char *words, size_t group, gboolean is_dark)
{
    GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *label = gtk_label_new(words);

    gtk_label_set_line_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    if (group != HPMVIZ_NO_GROUP) {
        GtkWidget *dot = gtk_label_new(NULL);
        char *markup =
            g_strdup_printf("<span foreground=\"%s\">\u25cf</span>",
                            hpmviz_groupchooser_colour(is_dark, group));

        gtk_label_set_markup(GTK_LABEL(dot), markup);
        gtk_container_add(GTK_CONTAINER(line), dot);
        g_free(markup);
    }
    gtk_container_add(GTK_CONTAINER(line), label);
    return line;
}

static GtkWidget *
add_choice(GtkWidget *box, GtkWidget *first, HpmvizSession *session,
           size_t group, gboolean is_dark)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);
    const struct hpmviz_loaded *whole = hpmviz_loaded_whole(loaded);
    char *described = describe(&whole->pictures.members, group);
    char *words = hpmviz_safe_line(described);
    GtkWidget *button = gtk_radio_button_new_from_widget(
        first != NULL ? GTK_RADIO_BUTTON(first) : NULL);

    gtk_container_add(GTK_CONTAINER(button), new_line(words, group, is_dark));
    atk_object_set_name(gtk_widget_get_accessible(button), words);
    if (loaded->whole != NULL ? loaded->group == group
                              : group == HPMVIZ_NO_GROUP)
        gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
    g_object_set_data_full(G_OBJECT(button), session_key, g_object_ref(session),
                           g_object_unref);
    g_object_set_data(G_OBJECT(button), group_key, GSIZE_TO_POINTER(group + 1));
    gtk_container_add(GTK_CONTAINER(box), button);
    g_free(described);
    g_free(words);
    return button;
}

static void
listen(GtkWidget *button)
{
    g_signal_connect(button, "toggled", G_CALLBACK(on_toggled), NULL);
}

/* Places that the user chose elsewhere are no group. */
static void
add_chosen(GtkWidget *box, GtkWidget *first, HpmvizSession *session)
{
    g_autofree char *sentence =
        hpmviz_restriction_sentence(hpmviz_session_loaded(session));
    g_autofree char *words = hpmviz_safe_line(sentence);
    GtkWidget *button = gtk_radio_button_new_with_label_from_widget(
        GTK_RADIO_BUTTON(first), words);

    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
    gtk_container_add(GTK_CONTAINER(box), button);
}

static GtkWidget *
new_title(void)
{
    GtkWidget *title =
        gtk_label_new(_("Threads that are shown, in all windows"));

    gtk_label_set_xalign(GTK_LABEL(title), 0);
    return title;
}

GtkWidget *
hpmviz_groupchooser_new(HpmvizSession *session, gboolean is_dark)
{
    const struct hpmviz_loaded *whole =
        hpmviz_loaded_whole(hpmviz_session_loaded(session));
    GtkWidget *box, *first;

    if (whole == NULL || whole->pictures.members.n_groups == 0)
        return NULL;
    box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_container_add(GTK_CONTAINER(box), new_title());
    first = add_choice(box, NULL, session, HPMVIZ_NO_GROUP, is_dark);
    for (size_t c = 0; c < whole->pictures.members.n_groups; c++)
        add_choice(box, first, session, c, is_dark);
    for (GSList *at = gtk_radio_button_get_group(GTK_RADIO_BUTTON(first));
         at != NULL; at = at->next)
        listen(at->data);
    if (hpmviz_session_loaded(session)->chosen != NULL)
        add_chosen(box, first, session);
    gtk_widget_show_all(box);
    return box;
}
