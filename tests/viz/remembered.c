/* SPDX-License-Identifier: BSD-3-Clause
 * A session restores the view of the session before, and finds its sources. */
#include "hpmviz/data/remembered.h"

#include <unistd.h>

#include "tap.h"

static void
expect_split(const char *text, const char *expected_from,
             const char *expected_to, const char *sentence)
{
    char *from = NULL, *to = NULL;

    ok(hpmviz_remembered_split(text, &from, &to) == (expected_from != NULL),
       sentence);
    is_text(from, expected_from, "what it was");
    is_text(to, expected_to, "and what it is now");
    g_free(from);
    g_free(to);
}

static void
test_split(void)
{
    expect_split("/build=/home/me", "/build", "/home/me",
                 "a substitution has two folders");
    expect_split("/a=b/c=/d=/e", "/a=b/c", "/d=/e",
                 "a folder may have '=' in its name");
    expect_split("/build", NULL, NULL, "one folder is none");
    expect_split("=/home", NULL, NULL, "and so is nothing before '='");
}

static void
expect_string(const HpmvizPreferences *preferences, const char *key,
              const char *expected, const char *sentence)
{
    char *value = hpmviz_preferences_get_string(preferences, "view", key, "");

    is_text(value, expected, sentence);
    g_free(value);
}

static void
test_view(void)
{
    HpmvizSession *session = hpmviz_session_new();
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    struct hpmviz_view view;

    hpmviz_preferences_set_string(preferences, "view", "palette",
                                  "orange-blue");
    hpmviz_preferences_set_string(preferences, "view", "statistic", "mean");
    hpmviz_preferences_set_string(preferences, "view", "precision", "single");
    hpmviz_preferences_set_string(preferences, "view", "scope", "process");
    hpmviz_preferences_set_flag(preferences, "view", "tree", TRUE);
    hpmviz_remembered_follow(session);
    view = *hpmviz_session_view(session);
    ok(view.palette == HPMVIZ_PALETTE_ORANGE_BLUE &&
           view.statistic == HPMVIZ_STATISTIC_MEAN &&
           view.precision == HPM_PRECISION_SINGLE &&
           view.scope == HPM_SCOPE_PROCESS && view.is_tree,
       "a session takes over how things were looked at");
    view.palette = HPMVIZ_PALETTE_PLAIN;
    view.is_tree = FALSE;
    hpmviz_session_set_view(session, &view);
    expect_string(preferences, "palette", "plain", "what is chosen is kept");
    expect_string(preferences, "tree", "false", "all of it");
    g_object_unref(session);

    session = hpmviz_session_new();
    preferences = hpmviz_session_preferences(session);
    hpmviz_preferences_set_string(preferences, "view", "palette", "rainbow");
    hpmviz_remembered_follow(session);
    view = *hpmviz_session_view(session);
    ok(view.palette == HPMVIZ_PALETTE_RED_GREEN &&
           view.precision == HPM_PRECISION_DOUBLE,
       "words that mean nothing are the defaults");
    g_object_unref(session);
}

/* Check the file found for a name, relative to the folder of the test. */
static void
expect_found(HpmvizSession *session, const char *recorded, const char *folder,
             const char *expected, const char *sentence)
{
    char *path = NULL, *root = NULL;
    enum hpmviz_finding finding = hpmviz_sources_find(
        hpmviz_session_sources(session), recorded, NULL, &path, &root);

    is_text(finding == HPMVIZ_FOUND ? path + strlen(folder) : NULL, expected,
            sentence);
    g_free(path);
    g_free(root);
}

static void
put(const char *folder, const char *name)
{
    char *path = g_build_filename(folder, name, NULL);
    char *parent = g_path_get_dirname(path);

    g_mkdir_with_parents(parent, 0700);
    g_file_set_contents(path, "      END\n", -1, NULL);
    g_free(parent);
    g_free(path);
}

static void
test_sources(const char *folder)
{
    HpmvizSession *session = hpmviz_session_new();
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    char *one = g_build_filename(folder, "one", NULL);
    char *two = g_build_filename(folder, "two", NULL);
    const char *const searches[] = {two, NULL};

    put(folder, "one/a.f");
    put(folder, "two/a.f");
    put(folder, "two/sub/b.f");
    hpmviz_remembered_add_substitution(preferences, "/build", two);
    hpmviz_remembered_follow(session);
    expect_found(session, "/build/a.f", folder, "/two/a.f",
                 "a substitution of the last time holds");
    expect_found(session, "/gone/sub/b.f", folder, NULL,
                 "what nothing was said of is not found");
    hpmviz_preferences_set_strings(preferences, "sources", "search", searches);
    expect_found(session, "/gone/sub/b.f", folder, "/two/sub/b.f",
                 "a search folder holds as soon as it is there");
    hpmviz_remembered_add_substitution(preferences, "/build", one);
    expect_found(session, "/build/a.f", folder, "/one/a.f",
                 "the last substitution comes first");
    hpmviz_preferences_set_strings(preferences, "sources", "substitutions",
                                   NULL);
    hpmviz_preferences_set_strings(preferences, "sources", "search", NULL);
    expect_found(session, "/build/b.f", folder, NULL,
                 "without them nothing is found any more");
    g_object_unref(session);
    g_free(one);
    g_free(two);
}

static void
test_last(void)
{
    guint n_done, n_files;
    static const char *const files[] = {"/nowhere/a.hpm.xml", NULL};
    HpmvizSession *session = hpmviz_session_new();
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);

    ok(!hpmviz_remembered_open_last(session),
       "at the first time there is nothing to open");
    hpmviz_preferences_set_strings(preferences, "session", "files", files);
    hpmviz_preferences_set_flag(preferences, "session", "restore", FALSE);
    ok(!hpmviz_remembered_open_last(session),
       "nor where the user does not want it");
    hpmviz_preferences_set_flag(preferences, "session", "restore", TRUE);
    ok(hpmviz_remembered_open_last(session) &&
           hpmviz_session_is_loading(session, &n_done, &n_files),
       "else the files are opened that were");
    hpmviz_session_cancel(session);
    g_object_unref(session);
}

int
main(void)
{
    char *made = g_dir_make_tmp("hpm-remembered-XXXXXX", NULL);
    char *folder = realpath(made, NULL);
    char *command[] = {(char *)"rm", (char *)"-rf", (char *)"--", folder, NULL};

    test_split();
    test_view();
    test_sources(folder);
    test_last();
    g_spawn_sync(NULL, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                 NULL, NULL, NULL);
    free(folder);
    g_free(made);
    return done();
}
