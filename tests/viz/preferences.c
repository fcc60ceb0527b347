/* SPDX-License-Identifier: BSD-3-Clause
 * Preferences are read back, whatever happened to the file, and two viewers
 * keep each other's. */
#include "hpmviz/data/preferences.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char *folder, *path;

static void
count(int *n)
{
    ++*n;
}

static char *
text_of(const char *name)
{
    char *whole = g_build_filename(folder, name, NULL), *text = NULL;

    g_file_get_contents(whole, &text, NULL, NULL);
    g_free(whole);
    return text;
}

static void
expect_string(HpmvizPreferences *preferences, const char *key,
              const char *expected, const char *sentence)
{
    char *value = hpmviz_preferences_get_string(preferences, "view", key, NULL);

    is_text(value, expected, sentence);
    g_free(value);
}

static void
test_values(void)
{
    static const char *const words[] = {"/a;b=c", " two\nlines", "", NULL};
    HpmvizPreferences *preferences = hpmviz_preferences_open(path);
    char **back;

    ok(hpmviz_preferences_problem(preferences) == NULL,
       "a file that is not there is no problem");
    expect_string(preferences, "palette", NULL, "it has no values");
    hpmviz_preferences_set_string(preferences, "view", "palette", "orange");
    hpmviz_preferences_set_strings(preferences, "view", "words", words);
    hpmviz_preferences_set_int(preferences, "window", "width", 1234);
    hpmviz_preferences_set_flag(preferences, "window", "maximised", TRUE);
    ok(!g_file_test(path, G_FILE_TEST_EXISTS), "writing is put off");
    g_object_unref(preferences);

    preferences = hpmviz_preferences_open(path);
    expect_string(preferences, "palette", "orange", "a string comes back");
    back = hpmviz_preferences_get_strings(preferences, "view", "words");
    ok(g_strv_equal((const char *const *)back, words),
       "strings with separators, blanks and ends of lines come back");
    g_strfreev(back);
    back = hpmviz_preferences_get_strings(preferences, "view", "none");
    ok(back != NULL && back[0] == NULL, "no strings are an empty list");
    g_strfreev(back);
    ok(hpmviz_preferences_get_int(preferences, "window", "width", 1, 9999, 0) ==
           1234,
       "a number does");
    ok(hpmviz_preferences_get_flag(preferences, "window", "maximised", FALSE),
       "and a flag");
    ok(hpmviz_preferences_get_int(preferences, "window", "width", 1, 1000, 7) ==
           7,
       "a number beyond its limits is the default");
    ok(hpmviz_preferences_get_int(preferences, "view", "palette", 1, 9, 7) == 7,
       "and what is no number");
    hpmviz_preferences_set_string(preferences, "view", "palette", "\xff");
    expect_string(preferences, "palette", NULL,
                  "what is not UTF-8 is not remembered");
    g_object_unref(preferences);
}

static void
test_signals(void)
{
    HpmvizPreferences *preferences = hpmviz_preferences_new();
    int n = 0;
    char **back;

    g_signal_connect_swapped(preferences, "changed::view.palette",
                             G_CALLBACK(count), &n);
    hpmviz_preferences_set_string(preferences, "view", "palette", "plain");
    hpmviz_preferences_set_string(preferences, "view", "theme", "dark");
    hpmviz_preferences_set_string(preferences, "view", "palette", "plain");
    ok(n == 1, "a change of one value is told once, and only of that");
    hpmviz_preferences_add_string(preferences, "files", "roots", "/a");
    hpmviz_preferences_add_string(preferences, "files", "roots", "/b");
    hpmviz_preferences_add_string(preferences, "files", "roots", "/a");
    back = hpmviz_preferences_get_strings(preferences, "files", "roots");
    ok(g_strv_length(back) == 2, "a string is added once");
    g_strfreev(back);
    ok(hpmviz_preferences_flush(preferences),
       "without a file nothing is written");
    g_object_unref(preferences);
}

static gboolean
give_up(gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_CONTINUE;
}

static void
test_late(void)
{
    HpmvizPreferences *preferences = hpmviz_preferences_open(path);
    gboolean is_over = FALSE;
    guint timer = g_timeout_add_seconds(300, give_up, &is_over);
    char *text = NULL;

    hpmviz_preferences_set_string(preferences, "view", "late", "yes");
    while (!is_over && (text == NULL || strstr(text, "late=yes") == NULL)) {
        g_main_context_iteration(NULL, TRUE);
        g_free(text);
        text = text_of("hpmviz.conf");
    }
    ok(!is_over, "a change is written while the program goes on");
    g_source_remove(timer);
    g_free(text);
    g_object_unref(preferences);
}

static gboolean
stop_waiting(gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_REMOVE;
}

/* The timer of the preferences has run out, and a thread writes, or will. */
static void
wait_for_thread(void)
{
    gboolean is_over = FALSE;

    g_timeout_add(600, stop_waiting, &is_over);
    while (!is_over)
        g_main_context_iteration(NULL, TRUE);
}

/* Whatever the thread has done by then. */
static void
test_end_while_writing(void)
{
    int n_kept = 0, n = is_repeated() ? 1 : 4;

    for (int i = 0; i < n; i++) {
        HpmvizPreferences *preferences = hpmviz_preferences_open(path);
        g_autofree char *value = g_strdup_printf("last %d", i);
        g_autofree char *back = NULL;

        hpmviz_preferences_set_string(preferences, "view", "turn", "first");
        if (i % 2 == 0)
            wait_for_thread();
        hpmviz_preferences_set_string(preferences, "view", "turn", value);
        g_object_unref(preferences);
        while (g_main_context_iteration(NULL, FALSE))
            continue;
        preferences = hpmviz_preferences_open(path);
        back = hpmviz_preferences_get_string(preferences, "view", "turn", NULL);
        n_kept += g_strcmp0(back, value) == 0;
        g_object_unref(preferences);
    }
    ok(n_kept == n, "the last value is in the file when the preferences go, "
                    "although a thread may be writing the one before");
}

/* A thread that writes is not the last: a change meanwhile is written, too. */
static void
test_change_while_writing(void)
{
    HpmvizPreferences *preferences = hpmviz_preferences_open(path);
    gboolean is_over = FALSE;
    guint timer = g_timeout_add_seconds(300, give_up, &is_over);
    char *text = NULL;

    hpmviz_preferences_set_string(preferences, "view", "one", "1");
    wait_for_thread();
    hpmviz_preferences_set_string(preferences, "view", "two", "2");
    while (!is_over && (text == NULL || strstr(text, "two=2") == NULL)) {
        g_main_context_iteration(NULL, TRUE);
        g_free(text);
        text = text_of("hpmviz.conf");
    }
    ok(!is_over && strstr(text, "one=1") != NULL,
       "a change after the thread began is written by the next");
    g_source_remove(timer);
    g_free(text);
    g_object_unref(preferences);
}

static void
test_two(void)
{
    HpmvizPreferences *one = hpmviz_preferences_open(path);
    HpmvizPreferences *two = hpmviz_preferences_open(path);

    hpmviz_preferences_set_string(one, "view", "theme", "dark");
    hpmviz_preferences_set_string(two, "view", "palette", "plain");
    hpmviz_preferences_set_string(two, "view", "late", NULL);
    g_object_unref(one);
    g_object_unref(two);
    one = hpmviz_preferences_open(path);
    expect_string(one, "theme", "dark", "what one viewer wrote stays");
    expect_string(one, "palette", "plain", "when another writes");
    expect_string(one, "late", NULL, "and what it forgot is gone");
    g_object_unref(one);
}

static void
damage(const char *text, gssize length, const char *where, const char *sentence)
{
    HpmvizPreferences *preferences;
    char *kept, *position = g_strdup_printf("%s:%s:", path, where);
    const char *problem;

    g_file_set_contents(path, text, length, NULL);
    preferences = hpmviz_preferences_open(path);
    problem = hpmviz_preferences_problem(preferences);
    ok(problem != NULL && g_str_has_prefix(problem, position), sentence);
    kept = text_of("hpmviz.conf.damaged");
    is_text(kept, text, "it is kept beside");
    expect_string(preferences, "palette", NULL, "all values are the defaults");
    g_object_unref(preferences);
    g_free(kept);
    g_free(position);
}

static void
test_damage(void)
{
    HpmvizPreferences *preferences;

    damage("[view]\npalette=plain\nnonsense\n", -1, "3",
           "a damaged line is named");
    damage("palette=plain\n", -1, "1", "one before all groups, too");
    damage("[view]\npalette=plain\n[win", -1, "3", "and one that is cut off");
    preferences = hpmviz_preferences_open(path);
    ok(hpmviz_preferences_problem(preferences) == NULL,
       "the next time all is well");
    hpmviz_preferences_set_string(preferences, "view", "palette", "plain");
    g_file_set_contents(path, "junk", -1, NULL);
    ok(hpmviz_preferences_flush(preferences) &&
           hpmviz_preferences_problem(preferences) != NULL,
       "a file damaged meanwhile is told of");
    g_object_unref(preferences);
    preferences = hpmviz_preferences_open(path);
    expect_string(preferences, "palette", "plain", "and written anew");
    g_object_unref(preferences);
}

/* The kind of the file, such as a link, does not change. */
static void
test_kinds(void)
{
    HpmvizPreferences *preferences;
    char *target = g_build_filename(folder, "elsewhere", NULL), *text;
    struct stat status;

    g_unlink(path);
    ok(symlink("elsewhere", path) == 0 &&
           g_file_set_contents(target, "# mine\n[view]\n", -1, NULL),
       "a link can be made");
    preferences = hpmviz_preferences_open(path);
    hpmviz_preferences_set_string(preferences, "view", "theme", "light");
    g_object_unref(preferences);
    text = text_of("elsewhere");
    ok(lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && text != NULL &&
           strstr(text, "# mine") != NULL &&
           strstr(text, "theme=light") != NULL,
       "a link stays one, and comments stay");
    g_free(text);
    g_unlink(path);
    ok(mkfifo(path, 0600) == 0, "a FIFO can be made");
    preferences = hpmviz_preferences_open(path);
    hpmviz_preferences_set_string(preferences, "view", "theme", "light");
    ok(hpmviz_preferences_problem(preferences) != NULL &&
           !hpmviz_preferences_flush(preferences) &&
           lstat(path, &status) == 0 && S_ISFIFO(status.st_mode),
       "what is no regular file is neither read nor replaced");
    g_object_unref(preferences);
    g_unlink(path);
    g_free(target);
}

/* A limit on the size of files acts like a full disk. */
static void
test_full_disk(void)
{
    HpmvizPreferences *preferences = hpmviz_preferences_open(path);
    struct rlimit limit, small;
    char *text, *before;
    int n = 0;

    hpmviz_preferences_set_string(preferences, "view", "theme", "dark");
    hpmviz_preferences_flush(preferences);
    before = text_of("hpmviz.conf");
    g_signal_connect_swapped(preferences, "troubled", G_CALLBACK(count), &n);
    text = g_strnfill(5000, 'x');
    hpmviz_preferences_set_string(preferences, "view", "palette", text);
    g_free(text);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    ok(!hpmviz_preferences_flush(preferences) && n == 1 &&
           hpmviz_preferences_problem(preferences) != NULL,
       "where there is no room, that is told");
    setrlimit(RLIMIT_FSIZE, &limit);
    text = text_of("hpmviz.conf");
    is_text(text, before, "and the file is as it was");
    g_free(text);
    g_free(before);
    ok(hpmviz_preferences_flush(preferences) && n == 2 &&
           hpmviz_preferences_problem(preferences) == NULL,
       "once there is room, it is written");
    g_object_unref(preferences);
}

int
main(void)
{
    char *command[] = {(char *)"rm", (char *)"-rf", (char *)"--", NULL, NULL};

    folder = g_dir_make_tmp("hpm-preferences-XXXXXX", NULL);
    path = g_build_filename(folder, "hpmviz.conf", NULL);
    test_values();
    test_signals();
    test_late();
    test_end_while_writing();
    test_change_while_writing();
    test_two();
    test_damage();
    test_kinds();
    test_full_disk();
    command[3] = folder;
    g_spawn_sync(NULL, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                 NULL, NULL, NULL);
    g_free(path);
    g_free(folder);
    return done();
}
