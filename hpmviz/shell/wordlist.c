/* SPDX-License-Identifier: BSD-3-Clause
 * A list of the preferences that the user edits. */
#include "hpmviz/shell/wordlist.h"

#include <glib/gi18n.h>

#include "hpmviz/data/remembered.h"
#include "hpmviz/widgets/filechooser.h"

struct _HpmvizWordlist {
    GtkBox parent_instance;
    HpmvizPreferences *preferences;
    char *group, *key;
    enum hpmviz_word kind;
    GtkTreeView *view;
    GtkWidget *complaint, *add_button, *remove_button, *up_button;
    GtkListStore *rows;
    GtkCellRenderer *cell;
    gboolean is_own; /* the preferences change by what is done here */
};

G_DEFINE_TYPE(HpmvizWordlist, hpmviz_wordlist, GTK_TYPE_BOX)

/* ---- rows and preferences -------------------------------------------- */

static gboolean
is_good(const HpmvizWordlist *list, const char *word)
{
    char *from, *to;

    if (list->kind == HPMVIZ_WORD_FOLDER)
        return g_path_is_absolute(word);
    if (!g_path_is_absolute(word) || !hpmviz_remembered_split(word, &from, &to))
        return FALSE;
    g_free(from);
    g_free(to);
    return TRUE;
}

static char *
word_at(const HpmvizWordlist *list, GtkTreeIter *iter)
{
    char *word;

    gtk_tree_model_get(GTK_TREE_MODEL(list->rows), iter, 0, &word, -1);
    return word;
}

static void
complain(HpmvizWordlist *list, const char *word)
{
    char *sentence;

    gtk_widget_set_visible(list->complaint, word != NULL);
    if (word == NULL)
        return;
    sentence = g_strdup_printf(
        list->kind == HPMVIZ_WORD_FOLDER
            ? _("\"%s\" is not kept: expected a folder from / on")
            : _("\"%s\" is not kept: expected /from=/to, two folders from / "
                "on"),
        word);
    gtk_label_set_text(GTK_LABEL(list->complaint), sentence);
    g_free(sentence);
}

/* All rows, but for those that are not what they should be. */
static void
keep(HpmvizWordlist *list)
{
    GtkTreeModel *model = GTK_TREE_MODEL(list->rows);
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    char *bad = NULL;
    GtkTreeIter iter;

    for (gboolean is_row = gtk_tree_model_get_iter_first(model, &iter); is_row;
         is_row = gtk_tree_model_iter_next(model, &iter)) {
        char *word = word_at(list, &iter);

        if (is_good(list, word)) {
            g_ptr_array_add(words, word);
        } else {
            g_free(bad);
            bad = word;
        }
    }
    g_ptr_array_add(words, NULL);
    list->is_own = TRUE;
    hpmviz_preferences_set_strings(list->preferences, list->group, list->key,
                                   (const char *const *)words->pdata);
    list->is_own = FALSE;
    complain(list, bad);
    g_ptr_array_unref(words);
    g_free(bad);
}

static void
fill(HpmvizWordlist *list)
{
    char **words;

    if (list->is_own)
        return;
    words = hpmviz_preferences_get_strings(list->preferences, list->group,
                                           list->key);
    gtk_list_store_clear(list->rows);
    for (char **at = words; *at != NULL; at++)
        gtk_list_store_insert_with_values(list->rows, NULL, -1, 0, *at, -1);
    g_strfreev(words);
}

/* ---- what happens ---------------------------------------------------- */

static gboolean
get_selected(HpmvizWordlist *list, GtkTreeIter *iter)
{
    return gtk_tree_selection_get_selected(
        gtk_tree_view_get_selection(list->view), NULL, iter);
}

static void
on_selection(HpmvizWordlist *list)
{
    GtkTreeIter iter;
    gboolean is_selected = get_selected(list, &iter);

    gtk_widget_set_sensitive(list->remove_button, is_selected);
    gtk_widget_set_sensitive(
        list->up_button, is_selected && gtk_tree_model_iter_previous(
                                            GTK_TREE_MODEL(list->rows), &iter));
}

static void
on_edited(HpmvizWordlist *list, const char *path, const char *text)
{
    GtkTreeIter iter;

    if (!gtk_tree_model_get_iter_from_string(GTK_TREE_MODEL(list->rows), &iter,
                                             path))
        return;
    if (*text != '\0')
        gtk_list_store_set(list->rows, &iter, 0, text, -1);
    else
        gtk_list_store_remove(list->rows, &iter);
    keep(list);
}

static void
add_folder(char *const *names, gpointer data)
{
    HpmvizWordlist *list = data;

    gtk_list_store_insert_with_values(list->rows, NULL, -1, 0, *names, -1);
    keep(list);
}

static void
ask_for_folder(HpmvizWordlist *list)
{
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Choose a folder"),
        GTK_WINDOW(gtk_widget_get_toplevel(GTK_WIDGET(list))),
        GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));

    hpmviz_filechooser_ask(dialog, G_OBJECT(list), add_folder, list);
}

/* A row with an example, being edited. */
static void
add_row(HpmvizWordlist *list)
{
    GtkTreeIter iter;
    GtkTreePath *path;

    gtk_list_store_insert_with_values(list->rows, &iter, -1, 0, "/from=/to",
                                      -1);
    path = gtk_tree_model_get_path(GTK_TREE_MODEL(list->rows), &iter);
    gtk_widget_grab_focus(GTK_WIDGET(list->view));
    gtk_tree_view_set_cursor(list->view, path,
                             gtk_tree_view_get_column(list->view, 0), TRUE);
    gtk_tree_path_free(path);
}

static void
on_add(HpmvizWordlist *list)
{
    if (list->kind == HPMVIZ_WORD_FOLDER)
        ask_for_folder(list);
    else
        add_row(list);
}

static void
on_remove(HpmvizWordlist *list)
{
    GtkTreeIter iter;

    if (!get_selected(list, &iter))
        return;
    gtk_list_store_remove(list->rows, &iter);
    keep(list);
}

static void
on_up(HpmvizWordlist *list)
{
    GtkTreeIter iter, before;

    if (!get_selected(list, &iter))
        return;
    before = iter;
    if (!gtk_tree_model_iter_previous(GTK_TREE_MODEL(list->rows), &before))
        return;
    gtk_list_store_swap(list->rows, &iter, &before);
    keep(list);
    on_selection(list);
}

static gboolean
on_key(gpointer data, GdkEventKey *event)
{
    if (event->keyval != GDK_KEY_Delete)
        return FALSE;
    on_remove(data);
    return TRUE;
}

/* ---- the object ------------------------------------------------------ */

static void
finalize(GObject *object)
{
    HpmvizWordlist *list = HPMVIZ_WORDLIST(object);

    g_object_unref(list->preferences);
    g_object_unref(list->rows);
    g_free(list->group);
    g_free(list->key);
    G_OBJECT_CLASS(hpmviz_wordlist_parent_class)->finalize(object);
}

static void
hpmviz_wordlist_class_init(HpmvizWordlistClass *class)
{
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->finalize = finalize;
    gtk_widget_class_set_template_from_resource(
        widget, "/org/hpmtoolkit/hpmviz/wordlist.ui");
    gtk_widget_class_bind_template_child(widget, HpmvizWordlist, view);
    gtk_widget_class_bind_template_child(widget, HpmvizWordlist, complaint);
    gtk_widget_class_bind_template_child(widget, HpmvizWordlist, add_button);
    gtk_widget_class_bind_template_child(widget, HpmvizWordlist, remove_button);
    gtk_widget_class_bind_template_child(widget, HpmvizWordlist, up_button);
    gtk_widget_class_bind_template_callback(widget, on_add);
    gtk_widget_class_bind_template_callback(widget, on_remove);
    gtk_widget_class_bind_template_callback(widget, on_up);
    gtk_widget_class_bind_template_callback(widget, on_key);
}

static void
hpmviz_wordlist_init(HpmvizWordlist *list)
{
    gtk_widget_init_template(GTK_WIDGET(list));
    list->rows = gtk_list_store_new(1, G_TYPE_STRING);
    list->cell = gtk_cell_renderer_text_new();
    g_object_set(list->cell, "editable", TRUE, "ellipsize",
                 PANGO_ELLIPSIZE_MIDDLE, NULL);
    g_signal_connect_swapped(list->cell, "edited", G_CALLBACK(on_edited), list);
    gtk_tree_view_insert_column_with_attributes(list->view, -1, "", list->cell,
                                                "text", 0, NULL);
    gtk_tree_view_set_model(list->view, GTK_TREE_MODEL(list->rows));
    g_signal_connect_swapped(gtk_tree_view_get_selection(list->view), "changed",
                             G_CALLBACK(on_selection), list);
    on_selection(list);
}

static void
name_widget(GtkWidget *widget, const char *format, const char *name)
{
    char *whole = g_strdup_printf(format, name);

    atk_object_set_name(gtk_widget_get_accessible(widget), whole);
    g_free(whole);
}

GtkWidget *
hpmviz_wordlist_new(HpmvizPreferences *preferences, const char *group,
                    const char *key, enum hpmviz_word kind, const char *name)
{
    HpmvizWordlist *list = g_object_new(HPMVIZ_TYPE_WORDLIST, NULL);
    char *signal = g_strdup_printf("changed::%s.%s", group, key);

    list->preferences = g_object_ref(preferences);
    list->group = g_strdup(group);
    list->key = g_strdup(key);
    list->kind = kind;
    name_widget(GTK_WIDGET(list->view), "%s", name);
    name_widget(list->add_button, _("add to %s"), name);
    name_widget(list->remove_button, _("remove from %s"), name);
    name_widget(list->up_button, _("earlier in %s"), name);
    g_signal_connect_object(preferences, signal, G_CALLBACK(fill), list,
                            G_CONNECT_SWAPPED);
    fill(list);
    g_free(signal);
    return GTK_WIDGET(list);
}
