/* SPDX-License-Identifier: BSD-3-Clause
 * Finding a source together with the user. */
#include "hpmviz/source/locating.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "base/string.h"
#include "hpmviz/data/remembered.h"
#include "hpmviz/widgets/filechooser.h"

static const char group[] = "sources"; /* of the preferences */

/* A file that a thread looks for. */
struct hpmviz_lookup {
    struct hpmviz_locating *locating; /* NULL: nobody waits for it */
    struct hpmviz_sources *sources;
    char *recorded, *beside;
    enum hpmviz_finding finding;
    char *path, *root;
    char *folder; /* UNCONFIRMED: that of the path, without links, or NULL */
};

static HpmvizPreferences *
preferences_of(const struct hpmviz_locating *locating)
{
    return hpmviz_session_preferences(locating->session);
}

static void
retry(struct hpmviz_locating *locating)
{
    hpmviz_locating_find(locating);
    locating->learned(locating->data);
}

/* ---- asking ---------------------------------------------------------- */

static void
ask(struct hpmviz_locating *locating, GtkFileChooserAction action,
    const char *title, hpmviz_filechooser_chosen *chosen)
{
    GtkWidget *window = gtk_widget_get_toplevel(GTK_WIDGET(locating->notice));

    hpmviz_filechooser_ask(
        gtk_file_chooser_native_new(title, GTK_WINDOW(window), action,
                                    _("_Open"), _("_Cancel")),
        G_OBJECT(locating->notice), chosen, locating);
}

/* The list of candidates, and the one that is chosen. */
static GtkWidget *
list_of(char **candidates)
{
    GtkWidget *list = gtk_list_box_new();

    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_BROWSE);
    for (char **at = candidates; *at != NULL; at++) {
        GtkWidget *label;
        struct hpm_string safe = {0};

        hpm_string_add_safe(&safe, *at);
        label = gtk_label_new(hpm_string_text(&safe));
        hpm_string_free(&safe);
        gtk_label_set_xalign(GTK_LABEL(label), 0);
        gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_START);
        gtk_label_set_width_chars(GTK_LABEL(label), 60);
        gtk_container_add(GTK_CONTAINER(list), label);
    }
    gtk_list_box_select_row(GTK_LIST_BOX(list), gtk_list_box_get_row_at_index(
                                                    GTK_LIST_BOX(list), 0));
    atk_object_set_name(gtk_widget_get_accessible(list),
                        _("files of this name"));
    return list;
}

/* ---- answers --------------------------------------------------------- */

static void
take_path(struct hpmviz_locating *locating, const char *path)
{
    char *from, *to;

    hpmviz_sources_locate(
        hpmviz_session_sources(locating->session), locating->recorded,
        hpmviz_session_folder(locating->session), path, &from, &to);
    hpmviz_remembered_add_substitution(preferences_of(locating), from, to);
    g_free(from);
    g_free(to);
    retry(locating);
}

static void
on_located(char *const *names, gpointer data)
{
    take_path(data, *names);
}

static void
locate(gpointer data)
{
    ask(data, GTK_FILE_CHOOSER_ACTION_OPEN, _("Locate the source"), on_located);
}

static void
on_search(char *const *names, gpointer data)
{
    struct hpmviz_locating *locating = data;

    hpmviz_sources_confirm_root(hpmviz_session_sources(locating->session),
                                *names);
    hpmviz_sources_add_search(hpmviz_session_sources(locating->session),
                              *names);
    hpmviz_preferences_add_string(preferences_of(locating), group, "search",
                                  *names);
    retry(locating);
}

static void
add_search(gpointer data)
{
    ask(data, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
        _("Search for sources beneath a folder"), on_search);
}

static void
on_candidate(GtkDialog *dialog, int response, gpointer data)
{
    GtkListBox *list = g_object_get_data(G_OBJECT(dialog), "list");
    GtkListBoxRow *row = gtk_list_box_get_selected_row(list);
    char **candidates = g_object_get_data(G_OBJECT(dialog), "candidates");
    char *path = response == GTK_RESPONSE_OK && row != NULL
                     ? g_strdup(candidates[gtk_list_box_row_get_index(row)])
                     : NULL;

    gtk_widget_destroy(GTK_WIDGET(dialog));
    if (path != NULL)
        take_path(data, path);
    g_free(path);
}

static void
choose_one(gpointer data)
{
    struct hpmviz_locating *locating = data;
    GtkWidget *window = gtk_widget_get_toplevel(GTK_WIDGET(locating->notice));
    char **candidates = g_strsplit(locating->path, "\n", -1);
    GtkWidget *dialog = gtk_dialog_new_with_buttons(
        _("Choose the source"), GTK_WINDOW(window),
        GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, _("_Cancel"),
        GTK_RESPONSE_CANCEL, _("_Open"), GTK_RESPONSE_OK, NULL);
    GtkWidget *list = list_of(candidates);

    gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_OK);
    gtk_box_pack_start(GTK_BOX(gtk_dialog_get_content_area(GTK_DIALOG(dialog))),
                       list, TRUE, TRUE, 6);
    gtk_widget_show_all(list);
    g_object_set_data(G_OBJECT(dialog), "list", list);
    g_object_set_data_full(G_OBJECT(dialog), "candidates", candidates,
                           (GDestroyNotify)(GCallback)g_strfreev);
    g_signal_connect(dialog, "response", G_CALLBACK(on_candidate), locating);
    gtk_widget_show(dialog);
}

/* The answer is about the folder the question was about: if its name leads to
 * another one meanwhile, that is asked about. */
static void
confirm(gpointer data)
{
    struct hpmviz_locating *locating = data;
    char *folder = g_path_get_dirname(locating->path);
    char *real = realpath(folder, NULL);

    if (real != NULL && g_strcmp0(real, locating->asked) == 0) {
        hpmviz_sources_confirm_root(hpmviz_session_sources(locating->session),
                                    folder);
        hpmviz_preferences_add_string(preferences_of(locating), group, "roots",
                                      folder);
    }
    free(real);
    g_free(folder);
    retry(locating);
}

/* The guess was right, and is none from now on. */
static void
take_guess(gpointer data)
{
    struct hpmviz_locating *locating = data;
    char *path = g_strdup(locating->path);

    take_path(locating, path);
    g_free(path);
}

static void
refuse(gpointer data)
{
    struct hpmviz_locating *locating = data;
    char *folder = g_path_get_dirname(locating->path);

    hpmviz_preferences_add_string(preferences_of(locating), group, "refused",
                                  folder);
    g_free(folder);
}

static void
be_content(gpointer data)
{
    (void)data;
}

/* Nobody waits for it any more. */
static void
forget_lookup(struct hpmviz_locating *locating)
{
    if (locating->finding != NULL)
        locating->finding->locating = NULL;
    locating->finding = NULL;
}

void
hpmviz_locating_clear(struct hpmviz_locating *locating)
{
    forget_lookup(locating);
    g_clear_pointer(&locating->path, g_free);
    g_clear_pointer(&locating->asked, free);
}

/* ---- finding --------------------------------------------------------- */

static gboolean
is_refused(const struct hpmviz_locating *locating, const char *folder)
{
    char **refused = hpmviz_preferences_get_strings(preferences_of(locating),
                                                    group, "refused");
    gboolean is_there = g_strv_contains((const char *const *)refused, folder);

    g_strfreev(refused);
    return is_there;
}

static void
tell(struct hpmviz_locating *locating, GtkMessageType type, char *sentence,
     const struct hpmviz_remedy *remedies)
{
    hpmviz_notice_tell(locating->notice, type, sentence, remedies, locating);
    g_free(sentence);
}

/* Names in performance files come from anybody: what they name is not opened
 * because they do. */
static void
ask_for_root(struct hpmviz_locating *locating)
{
    static const struct hpmviz_remedy question[] = {
        {N_("_Look beneath it"), confirm},
        {N_("_Not there"), refuse},
        {N_("_Locate…"), locate},
        {NULL, NULL},
    };
    static const struct hpmviz_remedy refused[] = {
        {N_("_Look there now"), confirm},
        {N_("_Locate…"), locate},
        {NULL, NULL},
    };
    char *folder = g_path_get_dirname(locating->path), *shown;

    shown =
        locating->asked == NULL || g_str_equal(folder, locating->asked)
            ? g_strdup(folder)
            : g_strdup_printf(_("%s, which is %s"), folder, locating->asked);
    if (is_refused(locating, folder))
        tell(locating, GTK_MESSAGE_INFO,
             g_strdup_printf(_("%s is not shown, as you did not want sources "
                               "beneath %s"),
                             locating->path, shown),
             refused);
    else
        tell(locating, GTK_MESSAGE_QUESTION,
             g_strdup_printf(_("the performance file names the source %s: look "
                               "at sources beneath %s?"),
                             locating->path, shown),
             question);
    g_free(shown);
    g_free(folder);
}

static const struct hpmviz_remedy ways_to_find[] = {
    {N_("_Locate…"), locate},
    {N_("_Search folders…"), add_search},
    {N_("_Dismiss"), be_content},
    {NULL, NULL},
};

void
hpmviz_locating_tell(struct hpmviz_locating *locating, const char *sentence)
{
    hpmviz_notice_tell(locating->notice, GTK_MESSAGE_ERROR, sentence,
                       ways_to_find, locating);
}

/* Two files of a run may have one name, in folders that are not here. */
static void
tell_guess(struct hpmviz_locating *locating)
{
    static const struct hpmviz_remedy remedies[] = {
        {N_("_It is this one"), take_guess},
        {N_("_Locate…"), locate},
        {NULL, NULL},
    };

    tell(locating, GTK_MESSAGE_WARNING,
         g_strdup_printf(_("the run was of %s; %s may be another file of this "
                           "name"),
                         locating->recorded, locating->path),
         remedies);
}

/* What was found, or not. */
static void
take_lookup(struct hpmviz_locating *locating, struct hpmviz_lookup *lookup)
{
    static const struct hpmviz_remedy choice[] = {
        {N_("_Choose…"), choose_one},
        {N_("_Locate…"), locate},
        {NULL, NULL},
    };

    g_free(locating->path);
    locating->path = g_steal_pointer(&lookup->path);
    switch (lookup->finding) {
    case HPMVIZ_FOUND:
        hpmviz_notice_hide(locating->notice);
        locating->open(locating->data, lookup->root, locating->path);
        break;
    case HPMVIZ_GUESSED:
        tell_guess(locating);
        locating->open(locating->data, lookup->root, locating->path);
        break;
    case HPMVIZ_UNCONFIRMED:
        free(locating->asked);
        locating->asked = g_steal_pointer(&lookup->folder);
        ask_for_root(locating);
        break;
    case HPMVIZ_SEVERAL:
        tell(locating, GTK_MESSAGE_QUESTION,
             g_strdup_printf(_("%s is in several search folders"),
                             locating->recorded),
             choice);
        break;
    default:
        tell(locating, GTK_MESSAGE_WARNING,
             g_strdup_printf(_("%s was not found"), locating->recorded),
             ways_to_find);
    }
}

/* ---- in a thread ------------------------------------------------------- */

static void
free_lookup(gpointer data)
{
    struct hpmviz_lookup *lookup = data;

    hpmviz_sources_free(lookup->sources);
    g_free(lookup->recorded);
    g_free(lookup->beside);
    g_free(lookup->path);
    g_free(lookup->root);
    free(lookup->folder);
    g_free(lookup);
}

static void
look_up(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    struct hpmviz_lookup *lookup = data;

    (void)source, (void)cancellable;
    lookup->finding =
        hpmviz_sources_find(lookup->sources, lookup->recorded, lookup->beside,
                            &lookup->path, &lookup->root);
    if (lookup->finding == HPMVIZ_UNCONFIRMED) {
        g_autofree char *folder = g_path_get_dirname(lookup->path);

        lookup->folder = realpath(folder, NULL);
    }
    g_task_return_boolean(task, TRUE);
}

static void
end_lookup(GObject *source, GAsyncResult *result, gpointer unused)
{
    struct hpmviz_lookup *lookup = g_task_get_task_data(G_TASK(result));
    struct hpmviz_locating *locating = lookup->locating;

    (void)source, (void)unused;
    if (locating == NULL)
        return;
    locating->finding = NULL;
    take_lookup(locating, lookup);
    locating->ended(locating->data);
}

void
hpmviz_locating_find(struct hpmviz_locating *locating)
{
    g_autoptr(GTask) task = g_task_new(NULL, NULL, end_lookup, NULL);
    struct hpmviz_lookup *lookup = g_new0(struct hpmviz_lookup, 1);

    forget_lookup(locating);
    locating->finding = lookup;
    lookup->locating = locating;
    lookup->sources =
        hpmviz_sources_copy(hpmviz_session_sources(locating->session));
    lookup->recorded = g_strdup(locating->recorded);
    lookup->beside = g_strdup(hpmviz_session_folder(locating->session));
    g_task_set_task_data(task, lookup, free_lookup);
    g_task_run_in_thread(task, look_up);
}

gboolean
hpmviz_locating_is_finding(const struct hpmviz_locating *locating)
{
    return locating->finding != NULL;
}
