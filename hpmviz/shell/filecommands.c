/* SPDX-License-Identifier: BSD-3-Clause
 * Commands for performance files. */
#include "hpmviz/shell/filecommands.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/data/export.h"
#include "hpmviz/widgets/errordialog.h"
#include "hpmviz/widgets/filechooser.h"
#include "study/report/report.h"

enum {
    MAX_RECENT = 10, /* in the menu, and of the words of one opening */
};

#define MIME_TYPE "application/x-hpm+xml"

/* ---- which files ----------------------------------------------------- */

static void
add_filter(GtkFileChooser *chooser, const char *name, const char *pattern)
{
    GtkFileFilter *filter = gtk_file_filter_new();

    gtk_file_filter_set_name(filter, name);
    gtk_file_filter_add_pattern(filter, pattern);
    gtk_file_chooser_add_filter(chooser, filter);
}

static void
ask(struct hpmviz_parts *parts, GtkFileChooserAction action, const char *title,
    hpmviz_filechooser_chosen *chosen)
{
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        title, GTK_WINDOW(parts->window), action, _("_Open"), _("_Cancel"));
    GtkFileChooser *chooser = GTK_FILE_CHOOSER(dialog);

    if (action == GTK_FILE_CHOOSER_ACTION_OPEN) {
        add_filter(chooser, _("Performance files"), "*.hpm.xml*");
        add_filter(chooser, _("All files"), "*");
    }
    gtk_file_chooser_set_select_multiple(chooser, TRUE);
    hpmviz_filechooser_ask(dialog, G_OBJECT(parts->window), chosen, parts);
}

/* ---- commands -------------------------------------------------------- */

static void
open_words(char *const *words, gpointer data)
{
    hpmviz_session_open(((struct hpmviz_parts *)data)->session, words);
}

static void
open_files(struct hpmviz_parts *parts)
{
    ask(parts, GTK_FILE_CHOOSER_ACTION_OPEN, _("Open performance files"),
        open_words);
}

static void
open_folder(struct hpmviz_parts *parts)
{
    ask(parts, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
        _("Open folders of performance files"), open_words);
}

static void
add_words(char *const *words, gpointer data)
{
    hpmviz_session_add_files(((struct hpmviz_parts *)data)->session, words);
}

/* More of the run that is shown; other runs stay. */
static void
add_files(struct hpmviz_parts *parts)
{
    ask(parts, GTK_FILE_CHOOSER_ACTION_OPEN, _("Add performance files"),
        add_words);
}

/* What is chosen at one time is one run: the files of its tasks. */
static void
add_words_as_run(char *const *words, gpointer data)
{
    hpmviz_session_add_run(((struct hpmviz_parts *)data)->session, words);
}

static void
add_run(struct hpmviz_parts *parts)
{
    ask(parts, GTK_FILE_CHOOSER_ACTION_OPEN, _("Add a run to compare"),
        add_words_as_run);
}

static void
add_run_folder(struct hpmviz_parts *parts)
{
    ask(parts, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
        _("Add the folder of a run to compare"), add_words_as_run);
}

static void
manage_runs(struct hpmviz_parts *parts)
{
    hpmviz_runsbar_manage(parts->runs);
}

static void
reload(struct hpmviz_parts *parts)
{
    hpmviz_session_reload(parts->session);
}

/* All sections, or call paths, as hpm report has them. */
static void
write_csv(char *const *names, gpointer data)
{
    struct hpmviz_parts *parts = data;
    const struct hpm_view_options options = {.view = HPM_VIEW_SECTION};
    struct hpm_string csv = {0};

    if (hpmviz_session_loaded(parts->session) == NULL)
        return;
    hpm_report_add_csv(&csv, hpmviz_session_loaded(parts->session)->sections,
                       &options);
    if (csv.failed)
        hpmviz_errordialog_show(GTK_WINDOW(parts->window),
                                _("there is not enough memory for the table"));
    else
        hpmviz_export_put_async(G_OBJECT(parts->window), *names,
                                hpm_string_text(&csv), csv.length,
                                hpmviz_errordialog_on_written, NULL);
    hpm_string_free(&csv);
}

static void
export_csv(struct hpmviz_parts *parts)
{
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Export sections as CSV"), GTK_WINDOW(parts->window),
        GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), _("_Cancel"));
    GtkFileChooser *chooser = GTK_FILE_CHOOSER(dialog);

    gtk_file_chooser_set_do_overwrite_confirmation(chooser, TRUE);
    gtk_file_chooser_set_current_name(chooser, "sections.csv");
    hpmviz_filechooser_ask(dialog, G_OBJECT(parts->window), write_csv, parts);
}

static const struct hpmviz_command commands[] = {
    {"open", open_files},
    {"open-folder", open_folder},
    {"add", add_files},
    {"reload", reload},
    {"export-csv", export_csv},
    {"add-run", add_run},
    {"add-run-folder", add_run_folder},
    {"runs", manage_runs},
};

/* ---- opened lately --------------------------------------------------- */

static void
open_recent(GSimpleAction *action, GVariant *uri, gpointer data)
{
    const struct hpmviz_parts *parts = data;
    char *path =
        g_filename_from_uri(g_variant_get_string(uri, NULL), NULL, NULL);
    char *words[] = {path, NULL};

    (void)action;
    if (path != NULL)
        hpmviz_session_open(parts->session, words);
    g_free(path);
}

static int
compare_recent(gconstpointer a, gconstpointer b)
{
    time_t x = gtk_recent_info_get_modified((GtkRecentInfo *)a);
    time_t y = gtk_recent_info_get_modified((GtkRecentInfo *)b);

    return (x < y) - (x > y);
}

/* "_" in a name is no mnemonic. */
static void
append_recent(GMenu *menu, GtkRecentInfo *info, int number)
{
    char *name = gtk_recent_info_get_uri_display(info);
    char **parts = g_strsplit(name != NULL ? name : "", "_", -1);
    char *safe = g_strjoinv("__", parts);
    char *label = g_strdup_printf("_%d %s", number % 10, safe);
    GMenuItem *item = g_menu_item_new(label, NULL);

    g_menu_item_set_action_and_target(item, "win.open-recent", "s",
                                      gtk_recent_info_get_uri(info));
    g_menu_append_item(menu, item);
    g_object_unref(item);
    g_free(label);
    g_free(safe);
    g_strfreev(parts);
    g_free(name);
}

/* Files the viewer has opened, the last first; struct GtkRecentInfo. */
static GPtrArray *
find_recent(GtkRecentManager *manager)
{
    GPtrArray *recent = g_ptr_array_new_with_free_func(
        (GDestroyNotify)(GCallback)gtk_recent_info_unref);
    GList *all =
        g_list_sort(gtk_recent_manager_get_items(manager), compare_recent);

    for (GList *at = all; at != NULL && recent->len < MAX_RECENT;
         at = at->next) {
        if (gtk_recent_info_has_application(at->data, g_get_prgname()) &&
            gtk_recent_info_is_local(at->data))
            g_ptr_array_add(recent, gtk_recent_info_ref(at->data));
    }
    g_list_free_full(all, (GDestroyNotify)gtk_recent_info_unref);
    return recent;
}

static char **
names_of(const GPtrArray *recent)
{
    char **names = g_new0(char *, recent->len + 1);

    for (guint i = 0; i < recent->len; i++)
        names[i] = g_strdup(gtk_recent_info_get_uri(recent->pdata[i]));
    return names;
}

/* The list changes its dates at every reload.  A menu is built anew only where
 * its items differ: those who watch it, such as screen readers, are told of
 * each that goes, and may ask for it too late. */
static void
show_recent(GtkRecentManager *manager, gpointer data)
{
    static const char key[] = "hpmviz-recent";
    GMenu *menu = data;
    GPtrArray *recent = find_recent(manager);
    char **names = names_of(recent),
         **before = g_object_get_data(G_OBJECT(menu), key);

    if (before != NULL &&
        g_strv_equal((const char *const *)before, (const char *const *)names)) {
        g_strfreev(names);
    } else {
        g_menu_remove_all(menu);
        for (guint i = 0; i < recent->len; i++)
            append_recent(menu, recent->pdata[i], (int)i + 1);
        g_object_set_data_full(G_OBJECT(menu), key, names,
                               (GDestroyNotify)(GCallback)g_strfreev);
    }
    g_ptr_array_unref(recent);
}

void
hpmviz_filecommands_fill_recent(GMenu *menu)
{
    GtkRecentManager *manager = gtk_recent_manager_get_default();

    g_signal_connect_object(manager, "changed", G_CALLBACK(show_recent), menu,
                            0);
    show_recent(manager, menu);
}

/* Patterns are no files, and a thousand task files would leave room for nothing
 * else. */
void
hpmviz_filecommands_add_recent(const struct hpmviz_parts *parts)
{
    const char *const *words = hpmviz_session_words(parts->session);
    GtkRecentData data = {.mime_type = (char *)MIME_TYPE,
                          .app_name = (char *)g_get_prgname(),
                          .app_exec = (char *)"hpmviz %f"};

    for (guint i = 0; words[i] != NULL && i < MAX_RECENT; i++) {
        GFile *file = g_file_new_for_path(words[i]);
        char *uri = g_file_get_uri(file);

        if (g_file_query_exists(file, NULL))
            gtk_recent_manager_add_full(gtk_recent_manager_get_default(), uri,
                                        &data);
        g_free(uri);
        g_object_unref(file);
    }
}

static const GActionEntry recent_entry = {"open-recent", open_recent, "s",
                                          NULL,          NULL,        {0}};

void
hpmviz_filecommands_add(struct hpmviz_parts *parts)
{
    hpmviz_parts_add(parts, commands, G_N_ELEMENTS(commands));
    g_action_map_add_action_entries(G_ACTION_MAP(parts->window), &recent_entry,
                                    1, parts);
}

/* ---- dropped --------------------------------------------------------- */

static gboolean
is_control_down(void)
{
    GdkKeymap *keymap = gdk_keymap_get_for_display(gdk_display_get_default());

    return (gdk_keymap_get_modifier_state(keymap) & GDK_CONTROL_MASK) != 0;
}

void
hpmviz_filecommands_drop(struct hpmviz_parts *parts,
                         GtkSelectionData *selection, GdkDragContext *context,
                         guint time)
{
    char **uris = gtk_selection_data_get_uris(selection);
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

    for (char **uri = uris; uri != NULL && *uri != NULL; uri++) {
        char *path = g_filename_from_uri(*uri, NULL, NULL);

        if (path != NULL)
            g_ptr_array_add(words, path);
    }
    gtk_drag_finish(context, words->len > 0, FALSE, time);
    if (words->len > 0) {
        g_ptr_array_add(words, NULL);
        if (hpmviz_session_loaded(parts->session) != NULL && is_control_down())
            hpmviz_session_add_run(parts->session, (char **)words->pdata);
        else
            hpmviz_session_open(parts->session, (char **)words->pdata);
    }
    g_ptr_array_unref(words);
    g_strfreev(uris);
}
