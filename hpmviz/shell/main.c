/* SPDX-License-Identifier: BSD-3-Clause
 * hpmviz: performance files in a window, or printed as the window shows them.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <locale.h>
#include <string.h>

#include "hpmviz/data/remembered.h"
#include "hpmviz/data/topology.h"
#include "hpmviz/shell/commands.h"
#include "hpmviz/shell/filecommands.h"
#include "hpmviz/shell/headless.h"
#include "hpmviz/shell/termination.h"
#include "hpmviz/shell/window.h"
#include "hpmviz/source/document.h"
#include "hpmviz/widgets/looks.h"
#include "hpmviz/widgets/textaccessible.h"
#include "metric/language/definitions.h"
#include "study/words/words.h"

struct options {
    struct hpmviz_headless headless;
    gboolean has_version, is_compared;
    char **paths;   /* "from=to" */
    char **folders; /* to search for sources */
    char **files;
};

static void
say(const char *sentence)
{
    g_printerr("hpmviz: %s\n", sentence);
}

/* ---- with one -------------------------------------------------------- */

/* Each window is asked about its texts. */
static void
act_quit(GSimpleAction *action, GVariant *parameter, gpointer data)
{
    GList *windows = g_list_copy(gtk_application_get_windows(data));

    (void)action;
    (void)parameter;
    for (GList *at = windows; at != NULL; at = at->next)
        gtk_window_close(at->data);
    g_list_free(windows);
}

static const GActionEntry actions[] = {
    {"quit", act_quit, NULL, NULL, NULL, {0}},
};

static void
start(GtkApplication *application)
{
    GtkBuilder *builder =
        gtk_builder_new_from_resource("/org/hpmtoolkit/hpmviz/menus.ui");

    hpmviz_textaccessible_use();
    gtk_application_set_menubar(
        application, G_MENU_MODEL(gtk_builder_get_object(builder, "menubar")));
    hpmviz_filecommands_fill_recent(
        G_MENU(gtk_builder_get_object(builder, "recent")));
    g_object_unref(builder);
    g_action_map_add_action_entries(G_ACTION_MAP(application), actions,
                                    G_N_ELEMENTS(actions), application);
    hpmviz_commands_set_keys(application);
}

/* The command line goes before what is remembered, and is not. */
static void
add_sources(const struct options *options, struct hpmviz_sources *sources)
{
    for (char **at = options->paths; at != NULL && *at != NULL; at++) {
        const char *middle = strchr(*at, '=');
        char *from = g_strndup(*at, (gsize)(middle - *at));

        hpmviz_sources_add_substitution(sources, from, middle + 1);
        g_free(from);
    }
    for (char **at = options->folders; at != NULL && *at != NULL; at++)
        hpmviz_sources_add_search(sources, *at);
    hpmviz_sources_fix(sources);
}

static void
activate(GtkApplication *application, gpointer data)
{
    const struct options *options = data;
    HpmvizSession *session = hpmviz_session_new();
    HpmvizPreferences *preferences = hpmviz_preferences_open(NULL);
    GtkWidget *window;

    add_sources(options, hpmviz_session_sources(session));
    hpmviz_session_set_topology(session, options->headless.topology);
    hpmviz_session_set_preferences(session, preferences);
    hpmviz_remembered_follow(session);
    hpmviz_looks_follow(preferences);
    g_object_unref(preferences);
    window = hpmviz_window_new(application, session);
    gtk_window_present(GTK_WINDOW(window));
    if (options->is_compared)
        hpmviz_session_open_runs(session, options->files);
    else if (options->files != NULL)
        hpmviz_session_open(session, options->files);
    else
        hpmviz_window_open_last(HPMVIZ_WINDOW(window));
    g_object_unref(session);
}

static int
show(struct options *options)
{
    GtkApplication *application =
        gtk_application_new("org.hpmtoolkit.hpmviz", G_APPLICATION_NON_UNIQUE);
    int status;

    gtk_window_set_default_icon_name("org.hpmtoolkit.hpmviz");
    hpmviz_termination_prepare();
    g_signal_connect(application, "startup", G_CALLBACK(start), NULL);
    g_signal_connect(application, "activate", G_CALLBACK(activate), options);
    status = g_application_run(G_APPLICATION(application), 0, NULL);
    hpmviz_document_settle();
    g_object_unref(application);
    return status == 0 ? HPMVIZ_GOOD : HPMVIZ_NOTHING;
}

/* ---- the command line ------------------------------------------------ */

static gboolean
read_options(struct options *options, int *argc, char ***argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"print", 'p', 0, G_OPTION_ARG_NONE, &options->headless.is_printed,
         N_("print the sections and their metrics instead"), NULL},
        {"export-csv", 0, 0, G_OPTION_ARG_FILENAME, &options->headless.csv,
         N_("write them as CSV instead, to a new file or '-'"), N_("FILE")},
        {"screenshot", 0, 0, G_OPTION_ARG_FILENAME,
         &options->headless.screenshot,
         N_("draw them into a new file instead: PNG, or by its name SVG or "
            "PDF"),
         N_("FILE")},
        {"dark", 0, 0, G_OPTION_ARG_NONE, &options->headless.is_dark,
         N_("draw in dark colours"), NULL},
        {"compare", 0, 0, G_OPTION_ARG_NONE, &options->is_compared,
         N_("each FILE or FOLDER is a run; show what changed from the first"),
         NULL},
        {"view", 0, 0, G_OPTION_ARG_STRING, &options->headless.view,
         N_("what is printed, written or drawn: sections, trees, "
            "distribution (a metric over tasks and threads), or scatter (two "
            "metrics)"),
         N_("VIEW")},
        {"section", 0, 0, G_OPTION_ARG_STRING, &options->headless.section,
         N_("the section of the distribution, by its label; else the "
            "costliest"),
         N_("LABEL")},
        {"metric", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->headless.metrics,
         N_("the metric of the trees or the distribution; else the time. A "
            "second one is drawn against the first"),
         N_("NAME")},
        {"topology", 0, 0, G_OPTION_ARG_STRING, &options->headless.topology,
         N_("the grid in which tasks stand, such as 8x8x4"), N_("DIMS")},
        {"source-path", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->paths,
         N_("look for sources recorded beneath FROM beneath TO"),
         N_("FROM=TO")},
        {"search", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->folders,
         N_("search for sources beneath the folder"), N_("FOLDER")},
        {"version", 0, 0, G_OPTION_ARG_NONE, &options->has_version,
         N_("print the version"), NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files,
         NULL, N_("[FILE|FOLDER...]")},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    GOptionContext *context = g_option_context_new(NULL);
    gboolean is_good;

    g_option_context_set_translation_domain(context, GETTEXT_PACKAGE);
    g_option_context_set_summary(
        context, _("Browse performance files of the HPM Toolkit: sections, "
                   "their metrics against limits, their source."));
    g_option_context_add_main_entries(context, entries, NULL);
    is_good = g_option_context_parse(context, argc, argv, error);
    g_option_context_free(context);
    return is_good;
}

static gboolean
has_runs(const struct options *options)
{
    guint n = options->files != NULL ? g_strv_length(options->files) : 0;

    if (n >= 2 && n <= HPMVIZ_MOST_RUNS)
        return TRUE;
    g_printerr("hpmviz: --compare with %u %s; expected 2 to %d runs, each a "
               "file, a folder or a pattern in quotes\n",
               n, n == 1 ? "run" : "runs", HPMVIZ_MOST_RUNS);
    return FALSE;
}

/* As many as the view has. */
static gboolean
check_metrics(const struct hpmviz_headless *headless)
{
    guint n = headless->metrics != NULL ? g_strv_length(headless->metrics) : 0;
    guint most = hpmviz_headless_most_metrics(headless->view);

    if (g_strcmp0(headless->view, "scatter") == 0 && n != 2) {
        g_printerr("hpmviz: --view=scatter with %u metrics; expected two, each "
                   "after a --metric of its own\n",
                   n);
        return FALSE;
    }
    if (n > MAX(most, 1))
        g_printerr("hpmviz: --metric %u times; expected it %s with "
                   "--view=%s\n",
                   n, most == 2 ? "at most twice" : "once",
                   headless->view != NULL ? headless->view : "sections");
    return n <= MAX(most, 1);
}

/* Of the views, and the grid of tasks. */
static gboolean
check_view(const struct hpmviz_headless *headless)
{
    struct hpmviz_topology topology;
    g_autofree char *problem = NULL;

    if (!hpmviz_headless_has_view(headless->view)) {
        g_printerr("hpmviz: --view '%s'; expected sections, trees, "
                   "distribution or scatter\n",
                   headless->view);
        return FALSE;
    }
    if (!check_metrics(headless))
        return FALSE;
    if (headless->topology != NULL &&
        !hpmviz_topology_read(headless->topology, &topology, &problem)) {
        say(problem);
        return FALSE;
    }
    return TRUE;
}

/* Can all of it be done?  Says why not. */
static gboolean
check_options(const struct options *options)
{
    for (char **at = options->paths; at != NULL && *at != NULL; at++) {
        if (strchr(*at, '=') == NULL || **at == '=') {
            g_printerr("hpmviz: '%s' after --source-path is not FROM=TO\n",
                       *at);
            return FALSE;
        }
    }
    if ((options->is_compared && !has_runs(options)) ||
        !check_view(&options->headless))
        return FALSE;
    if (hpmviz_headless_is_wanted(&options->headless)) {
        if (options->files == NULL)
            say("expected performance files after --print, --export-csv or "
                "--screenshot");
        return options->files != NULL;
    }
    if (options->files != NULL &&
        g_strv_contains((const char *const *)options->files, "-")) {
        say("standard input can be read only once, and a window reads again; "
            "name files or folders, or use --print");
        return FALSE;
    }
    return TRUE;
}

static int
run(struct options *options, int argc, char **argv)
{
    GError *error = NULL;

    if (!read_options(options, &argc, &argv, &error)) {
        say(error->message);
        g_clear_error(&error);
        return HPMVIZ_USAGE;
    }
    if (options->has_version) {
        g_print("hpmviz %s\n", PACKAGE_VERSION);
        return HPMVIZ_GOOD;
    }
    if (!check_options(options))
        return HPMVIZ_USAGE;
    options->headless.is_compared = options->is_compared;
    if (hpmviz_headless_is_wanted(&options->headless))
        return hpmviz_headless_run(&options->headless, options->files);
    if (!gtk_init_check(&argc, &argv)) {
        say("no display can be opened; set DISPLAY, or use --print");
        return HPMVIZ_NOTHING;
    }
    return show(options);
}

int
main(int argc, char **argv)
{
    struct options options = {0};
    int status;

    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C"); /* what is copied or written is for programs */
    gtk_disable_setlocale();
    bindtextdomain(GETTEXT_PACKAGE, LOCALEDIR);
    bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
    textdomain(GETTEXT_PACKAGE);
    hpm_words_begin();
    g_set_prgname("hpmviz");
    hpm_definitions_read_also("mpi");
    hpm_definitions_read_also("openmp");
    hpm_definitions_read_also("node");
    status = run(&options, argc, argv);
    g_strfreev(options.files);
    g_strfreev(options.paths);
    g_strfreev(options.folders);
    g_free(options.headless.csv);
    g_free(options.headless.screenshot);
    g_free(options.headless.view);
    g_free(options.headless.section);
    g_strfreev(options.headless.metrics);
    g_free(options.headless.topology);
    return status;
}
