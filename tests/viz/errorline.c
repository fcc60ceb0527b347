/* SPDX-License-Identifier: BSD-3-Clause
 * Places in sources are found in what compilers write; the project of a source,
 * and its command, too. */
#include "hpmviz/measure/errorline.h"

#include <glib/gstdio.h>
#include <string.h>

#include "hpmviz/measure/project.h"
#include "tap.h"

static void
expect(const char *text, const char *file, int line)
{
    struct hpmviz_errorline place = {NULL, 0, 0};
    gboolean is_found = hpmviz_errorline_read(text, &place);

    is_text(place.file, file, text);
    is_count((uint64_t)place.line, (uint64_t)line, text);
    ok(is_found == (file != NULL), text);
    g_free(place.file);
}

static void
test_places(void)
{
    expect("a.c:12:3: error: no", "a.c", 12);
    expect("../src/a.c:12: warning: no", "../src/a.c", 12);
    expect("In file included from b.h:3:", "b.h", 3);
    expect("                 from b.c:4,", NULL, 0);
    expect("relax.f90:8:7:", "relax.f90", 8);
    expect("relax.f90(8): error #5082", "relax.f90", 8);
    expect("\"sweep.f\", line 300: 1516-036", "sweep.f", 300);
    expect("12:30:01 begun", NULL, 0);
    expect("a.c: In function 'f':", NULL, 0);
    expect("make: *** [Makefile:7: all] Error 1", NULL, 0);
    expect("a.c:0: error", NULL, 0);
    expect("a.c:99999999999999: error", NULL, 0);
    expect("", NULL, 0);
    expect("solved 3 of 4 (12): good", NULL, 0);
}

static void
test_folders(void)
{
    gboolean is_left;
    char *folder = hpmviz_errorline_folder(
        "make[1]: Entering directory '/home/a b/src'", &is_left);

    is_text(folder, "/home/a b/src", "make enters a folder");
    ok(!is_left, "and does not leave it");
    g_free(folder);
    folder =
        hpmviz_errorline_folder("make[1]: Leaving directory '/x'", &is_left);
    ok(folder != NULL && is_left, "or leaves it");
    g_free(folder);
    ok(hpmviz_errorline_folder("gcc -c a.c", &is_left) == NULL,
       "other lines say nothing of folders");
}

static void
test_project(void)
{
    static const char *const none[] = {NULL};
    char *top = g_dir_make_tmp("project.XXXXXX", NULL);
    char *below = g_build_filename(top, "src", "deep", NULL);
    char *makefile = g_build_filename(top, "Makefile", NULL);
    char *source = g_build_filename(below, "a.c", NULL);
    char *src = g_build_filename(top, "src", NULL);
    const char *const known[] = {src, NULL};
    char *found;

    ok(g_mkdir_with_parents(below, 0700) == 0 &&
           g_file_set_contents(makefile, "", 0, NULL),
       "there is a project");
    found = hpmviz_project_find(source, none);
    is_text(found, top, "it is where its Makefile is");
    g_free(found);
    found = hpmviz_project_find(source, known);
    is_text(found, src, "or the folder for which a command is known");
    g_free(found);
    g_unlink(makefile);
    g_rmdir(below);
    g_rmdir(src);
    g_rmdir(top);
    g_free(src);
    g_free(source);
    g_free(makefile);
    g_free(below);
    g_free(top);
}

static void
test_command(void)
{
    HpmvizPreferences *preferences = hpmviz_preferences_new();
    char *command;
    char **known;

    hpmviz_project_remember(preferences, "/a", "make; ./a");
    hpmviz_project_remember(preferences, "/a/b", "ninja");
    hpmviz_project_remember(preferences, "/a", "make && ./a");
    command = hpmviz_project_command(preferences, "/a");
    is_text(command, "make && ./a", "the last command of a folder is known");
    g_free(command);
    command = hpmviz_project_command(preferences, "/c");
    is_text(command, "", "and none of another folder");
    g_free(command);
    hpmviz_project_remember(preferences, "/a/b", "");
    known = hpmviz_project_known(preferences);
    is_text(known[0], "/a", "a folder with a command is known");
    ok(known[1] == NULL, "an empty command is forgotten");
    g_strfreev(known);
    g_object_unref(preferences);
}

int
main(void)
{
    test_places();
    test_folders();
    test_project();
    test_command();
    return done();
}
