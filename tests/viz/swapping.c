/* SPDX-License-Identifier: BSD-3-Clause
 * Nothing is saved outside the confirmed folder, whatever other processes
 * change on the way, and whenever: a child that saves is stopped at each of its
 * system calls in turn, and there the file, or a folder on its way, becomes a
 * link. */
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hpmviz/source/sourcefile.h"
#include "scratch.h"
#include "tap.h"

enum { MOST_STOPS = 2000, SAVED = 10, REFUSED, UNREADABLE, NOT_TRACED };

static char *top; /* the folder of all files here */

static char *
at(const char *path)
{
    return g_build_filename(top, path, NULL);
}

static void
put(const char *path, const char *text)
{
    char *whole = at(path), *folder = g_path_get_dirname(whole);

    g_mkdir_with_parents(folder, 0755);
    g_file_set_contents(whole, text, -1, NULL);
    g_free(folder);
    g_free(whole);
}

static gboolean
has_text(const char *path, const char *expected)
{
    char *whole = at(path), *text = NULL;
    gboolean is_same = g_file_get_contents(whole, &text, NULL, NULL) &&
                       strcmp(text, expected) == 0;

    g_free(text);
    g_free(whole);
    return is_same;
}

/* The file `victim` in another folder must not change. */
static void
make_files(void)
{
    remove_all(top);
    put("root/sub/a.c", "old\n");
    put("outside/a.c", "victim\n");
    put("outside/sub/a.c", "victim\n");
}

static gboolean
are_victims_whole(void)
{
    char *one = at("outside"), *two = at("outside/sub");
    gboolean is_whole = has_text("outside/a.c", "victim\n") &&
                        has_text("outside/sub/a.c", "victim\n") &&
                        n_entries(one) == 2 && n_entries(two) == 1;

    g_free(one);
    g_free(two);
    return is_whole;
}

/* ---- changes by other processes ------------------------------------- */

static void
swap(const char *path, const char *aside, const char *target)
{
    char *from = at(path), *to = at(aside), *link = at(target);

    if (rename(from, to) != 0 || symlink(link, from) != 0)
        printf("# %s cannot be swapped\n", path);
    g_free(from);
    g_free(to);
    g_free(link);
}

static void
swap_file(void)
{
    swap("root/sub/a.c", "root/sub/aside.c", "outside/a.c");
}

static void
swap_folder(void)
{
    swap("root/sub", "root/aside", "outside/sub");
}

static void
swap_root(void)
{
    swap("root", "aside", "outside");
}

static void
move_folder_out(void)
{
    swap("root/sub", "aside", "outside/sub");
}

/* ---- the process that saves ----------------------------------------- */

static int
read_and_save(gboolean is_forced, enum hpmviz_way way)
{
    char *root = at("root"), *path = at("root/sub/a.c");
    struct hpmviz_sourcefile file;
    struct hpmviz_fileidentity identity;
    gboolean is_saved;

    if (!hpmviz_sourcefile_read(root, path, &file, NULL))
        return UNREADABLE;
    if (strcmp(file.bytes, "old\n") != 0)
        return UNREADABLE + 100; /* caused by the other processes */
    is_saved = hpmviz_sourcefile_save(root, path, "new\n", 4,
                                      is_forced ? NULL : &file.identity, way,
                                      &identity, NULL);
    return is_saved ? SAVED : REFUSED;
}

/* Let the child go on until it has stopped n_stops times at system calls, then
 * make the changes.  Returns its exit status; *ret_is_late when it ended
 * before. */
static int
save_with(void (*others)(void), int n_stops, gboolean is_forced,
          enum hpmviz_way way, gboolean *ret_is_late)
{
    int status, n = 0;
    pid_t child = fork();

    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(NOT_TRACED);
        raise(SIGSTOP);
        _exit(read_and_save(is_forced, way));
    }
    *ret_is_late = TRUE;
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        if (n++ == n_stops) {
            others();
            *ret_is_late = FALSE;
        }
        ptrace(PTRACE_SYSCALL, child, NULL, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Is the old or the new text there, under one of these names? */
static gboolean
is_text_kept(int result)
{
    static const char *const places[] = {"root/sub/a.c", "root/sub/aside.c",
                                         "root/aside/a.c", "aside/a.c",
                                         "aside/sub/a.c"};

    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        if ((result != SAVED && has_text(places[i], "old\n")) ||
            has_text(places[i], "new\n"))
            return TRUE;
    }
    return FALSE;
}

static void
test_every_moment(const char *what, void (*others)(void), gboolean is_forced,
                  enum hpmviz_way way)
{
    int n_stops = 0, n_saved = 0, n_refused = 0, n_wrong = 0;
    gboolean is_late = FALSE;

    fflush(stdout);
    for (; n_stops < MOST_STOPS && !is_late; n_stops++) {
        int result;

        make_files();
        result = save_with(others, n_stops, is_forced, way, &is_late);
        if (result == NOT_TRACED) {
            printf("ok %d - %s # SKIP processes are not traced here\n", ++tap_n,
                   what);
            return;
        }
        n_saved += result == SAVED;
        n_refused += result == REFUSED || result == UNREADABLE;
        if ((result != SAVED && result != REFUSED && result != UNREADABLE) ||
            !are_victims_whole() || !is_text_kept(result)) {
            n_wrong++;
            printf("# %s at stop %d: result %d\n", what, n_stops, result);
        }
    }
    printf("# %d moments: %d saved, %d refused\n", n_stops, n_saved, n_refused);
    ok(n_wrong == 0 && is_late && n_saved > 0 && n_refused > 0, what);
}

/* ---- links that stay inside ------------------------------------------ */

static void
expect_saved(const char *link, const char *target, const char *file,
             gboolean is_expected, const char *sentence)
{
    char *root = at("root"), *from = at(link);
    struct hpmviz_sourcefile read;
    struct hpmviz_fileidentity identity;
    gboolean is_saved;

    make_files();
    put("root/other/b.c", "b\n");
    if (symlink(target, from) != 0)
        printf("# no link\n");
    is_saved = hpmviz_sourcefile_read(root, from, &read, NULL);
    if (is_saved) {
        is_saved =
            hpmviz_sourcefile_save(root, from, "new\n", 4, &read.identity,
                                   HPMVIZ_REPLACE, &identity, NULL);
        hpmviz_sourcefile_clear(&read);
    }
    ok(is_saved == is_expected && (!is_expected || has_text(file, "new\n")) &&
           are_victims_whole() && g_file_test(from, G_FILE_TEST_IS_SYMLINK),
       sentence);
    g_free(root);
    g_free(from);
}

static void
test_links(void)
{
    char *absolute = at("root/other/b.c");

    expect_saved("root/sub/l.c", "a.c", "root/sub/a.c", TRUE,
                 "a link to a neighbour is followed, and stays one");
    expect_saved("root/sub/l.c", "../other/b.c", "root/other/b.c", TRUE,
                 "so is one that goes up, but not out");
    expect_saved("root/sub/l.c", "../../outside/a.c", NULL, FALSE,
                 "one that goes out is neither read nor written");
    expect_saved("root/sub/l.c", absolute, NULL, FALSE, "nor an absolute one");
    expect_saved("root/sub/l.c", "l.c", NULL, FALSE,
                 "nor one that leads to itself");
    g_free(absolute);
}

static void
expect_reason(int code, const char *sentence)
{
    char *root = at("root"), *path = at("root/sub/a.c");
    struct hpmviz_fileidentity identity;
    GError *error = NULL;

    ok(!hpmviz_sourcefile_save(root, path, "new\n", 4, NULL, HPMVIZ_REPLACE,
                               &identity, &error) &&
           g_error_matches(error, G_IO_ERROR, code) && are_victims_whole(),
       sentence);
    printf("# %s\n", error != NULL ? error->message : "no error");
    g_clear_error(&error);
    g_free(root);
    g_free(path);
}

static void
test_reasons(void)
{
    make_files();
    swap_file();
    expect_reason(G_IO_ERROR_INVALID_FILENAME,
                  "overwriting is refused where a file leads out");
    make_files();
    swap_folder();
    expect_reason(G_IO_ERROR_INVALID_FILENAME, "and where a folder does");
    make_files();
    swap_root();
    expect_reason(G_IO_ERROR_INVALID_FILENAME,
                  "and where the confirmed folder itself does");
}

/* `ROOT PATH WAY TIMES` saves so often, and says how often it was saved: what
 * tests/viz/races.py runs while it changes folders. */
static int
save_often(char **arguments)
{
    enum hpmviz_way way =
        strcmp(arguments[3], "into") == 0 ? HPMVIZ_WRITE_INTO : HPMVIZ_REPLACE;
    int times = atoi(arguments[4]), n_saved = 0;

    for (int i = 0; i < times; i++) {
        struct hpmviz_fileidentity identity;

        n_saved += hpmviz_sourcefile_save(arguments[1], arguments[2], "new\n",
                                          4, NULL, way, &identity, NULL);
    }
    printf("%d\n", n_saved);
    return 0;
}

int
main(int argc, char **argv)
{
    char *folder, *real;

    if (argc == 5)
        return save_often(argv);
    folder = g_dir_make_tmp("hpm-swapping-XXXXXX", NULL);
    real = realpath(folder, NULL);
    top = g_build_filename(real, "files", NULL);
    test_links();
    test_reasons();
    test_every_moment("a file that becomes a link", swap_file, FALSE,
                      HPMVIZ_REPLACE);
    test_every_moment("a file that becomes a link, overwritten", swap_file,
                      TRUE, HPMVIZ_REPLACE);
    test_every_moment("a file that becomes a link, written into", swap_file,
                      FALSE, HPMVIZ_WRITE_INTO);
    test_every_moment("a folder that becomes a link", swap_folder, FALSE,
                      HPMVIZ_REPLACE);
    test_every_moment("a folder that is moved out", move_folder_out, TRUE,
                      HPMVIZ_REPLACE);
    test_every_moment("a confirmed folder that becomes a link", swap_root,
                      FALSE, HPMVIZ_REPLACE);
    remove_all(real);
    free(real);
    g_free(top);
    g_free(folder);
    return done();
}
