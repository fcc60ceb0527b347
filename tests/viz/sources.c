/* SPDX-License-Identifier: BSD-3-Clause
 * Source files are found only where the user wants, and are read only there. */
#include "hpmviz/data/sources.h"
#include "hpmviz/source/sourcefile.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

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

    g_mkdir_with_parents(folder, 0700);
    g_file_set_contents(whole, text, -1, NULL);
    g_free(folder);
    g_free(whole);
}

/* The path, from `top`, at which the recorded name is found; "" for several,
 * NULL for none. */
static char *
found(const struct hpmviz_sources *sources, const char *recorded,
      const char *beside)
{
    char *folder = beside != NULL ? at(beside) : NULL, *path, *root;
    enum hpmviz_finding finding =
        hpmviz_sources_find(sources, recorded, folder, &path, &root);
    char *result = NULL;

    if (finding == HPMVIZ_FOUND)
        result = g_strdup(path + strlen(top) + 1);
    else if (finding == HPMVIZ_GUESSED)
        result = g_strconcat("maybe ", path + strlen(top) + 1, NULL);
    else if (finding == HPMVIZ_SEVERAL)
        result = g_strdup("");
    else if (finding == HPMVIZ_UNCONFIRMED)
        result = g_strdup("not confirmed");
    g_free(folder);
    g_free(path);
    g_free(root);
    return result;
}

static void
expect(const struct hpmviz_sources *sources, const char *recorded,
       const char *beside, const char *expected, const char *sentence)
{
    char *result = found(sources, recorded, beside);

    is_text(result, expected, sentence);
    g_free(result);
}

static void
test_finding(void)
{
    struct hpmviz_sources *sources = hpmviz_sources_new();
    char *recorded = at("work/src/swim.f"), *root = at("work");
    char *one = at("one"), *two = at("two"), *moved = at("moved");

    expect(sources, recorded, NULL, "not confirmed",
           "a recorded file outside of all roots is to be confirmed");
    hpmviz_sources_add_root(sources, root);
    expect(sources, recorded, NULL, "work/src/swim.f",
           "beneath a root it is found as recorded");
    hpmviz_sources_add_root(sources, one);
    expect(sources, "/gone/one/calc.f", "one", "one/calc.f",
           "a file that is gone is found beside the performance file");
    expect(sources, "calc.f", "one", "one/calc.f",
           "so is one whose name is all that is known");
    expect(sources, "/build/a/calc.f", "one", "maybe one/calc.f",
           "where the folder has another name it may be another file");
    expect(sources, "/build/b/calc.f", "one", "maybe one/calc.f",
           "and so may one of a third");
    expect(sources, "sub/deep.f", "one", "one/sub/deep.f",
           "a relative name is one beside the performance file");
    expect(sources, "/gone/src/swim.f", NULL, NULL, "a missing one is missing");
    hpmviz_sources_add_substitution(sources, "/gone", moved);
    expect(sources, "/gone/src/swim.f", NULL, "moved/src/swim.f",
           "a substitution leads to it");
    expect(sources, "/gonebutnot/src/swim.f", NULL, NULL,
           "a substitution ends at a slash");
    hpmviz_sources_add_search(sources, one);
    expect(sources, "/elsewhere/sub/deep.f", NULL, "one/sub/deep.f",
           "a search folder has the longest ending");
    expect(sources, "/elsewhere/deep/calc.f", NULL, "maybe one/calc.f",
           "where only the name agrees it may be another file");
    hpmviz_sources_add_search(sources, two);
    expect(sources, "/elsewhere/calc.f", NULL, "",
           "an ending in two search folders is to be asked about");
    expect(sources, "/elsewhere/sub/deep.f", NULL, "one/sub/deep.f",
           "a longer ending in one decides");
    hpmviz_sources_forget(sources);
    expect(sources, "/elsewhere/calc.f", NULL, NULL,
           "search folders can be forgotten");
    hpmviz_sources_add_substitution(sources, "/elsewhere", moved);
    hpmviz_sources_add_substitution(sources, "/elsewhere", one);
    expect(sources, "/elsewhere/calc.f", NULL, "one/calc.f",
           "a substitution that leads nowhere leaves it to the next");
    hpmviz_sources_fix(sources);
    hpmviz_sources_add_search(sources, two);
    hpmviz_sources_forget(sources);
    expect(sources, "/elsewhere/calc.f", NULL, "one/calc.f",
           "what is fixed is not forgotten");
    expect(sources, "/nowhere/deep.f", NULL, NULL, "but all else");
    hpmviz_sources_free(sources);
    g_free(recorded);
    g_free(root);
    g_free(one);
    g_free(two);
    g_free(moved);
}

/* The user confirmed the target of a name, not the name. */
static void
test_roots(void)
{
    struct hpmviz_sources *sources = hpmviz_sources_new();
    char *recorded = at("latest/calc.f"), *root = at("latest");

    ok(symlink("one", root) == 0, "a folder can be named by a link");
    hpmviz_sources_add_root(sources, root);
    expect(sources, recorded, NULL, "one/calc.f",
           "a file is found where the link led when it was confirmed");
    g_unlink(root);
    ok(symlink("two", root) == 0, "the link can lead elsewhere");
    hpmviz_sources_add_root(sources, root);
    expect(sources, recorded, NULL, "one/calc.f",
           "that is not followed, though the folder is known");
    hpmviz_sources_confirm_root(sources, root);
    expect(sources, recorded, NULL, "two/calc.f",
           "until the user confirms the folder again");
    g_unlink(root);
    hpmviz_sources_free(sources);
    g_free(recorded);
    g_free(root);
}

static void
expect_short(const char *name, const char *expected, const char *sentence)
{
    static const char *const others[] = {"/build/a/util.c", "/build/b/util.c",
                                         "main.c", "util.h", "xmain.c"};
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_ptr_array_add(names, (gpointer)others[i]);
    is_text(hpmviz_sources_short_name(name, names), expected, sentence);
    g_ptr_array_unref(names);
}

static void
test_short_names(void)
{
    expect_short("main.c", "main.c", "one of a name is called by it");
    expect_short("/build/a/util.c", "a/util.c",
                 "of two the folders tell them apart");
    expect_short("/build/b/util.c", "b/util.c", "either");
    expect_short("/other/a/util.c", "other/a/util.c",
                 "however many folders that takes");
    expect_short("util.c", "util.c", "or all there is");
}

static void
test_locating(void)
{
    struct hpmviz_sources *sources = hpmviz_sources_new();
    char *path = at("moved/src/swim.f"), *other = at("one/calc.f"), *from, *to;

    hpmviz_sources_locate(sources, "/build/x/src/swim.f", NULL, path, &from,
                          &to);
    is_text(from, "/build/x", "locating a file learns the folder it was in");
    is_text(to + strlen(top), "/moved", "and where that is now");
    expect(sources, "/build/x/inc/deep.h", NULL, "moved/inc/deep.h",
           "its neighbours are found then");
    g_free(from);
    g_free(to);
    hpmviz_sources_locate(sources, "/build/x/src/odd.f", NULL, other, &from,
                          &to);
    expect(sources, "/build/x/src/odd.f", NULL, "one/calc.f",
           "a file of another name may stand for one");
    g_free(from);
    g_free(to);
    hpmviz_sources_locate(sources, "src/swim.f", "/results", path, &from, &to);
    is_text(from, "/results",
            "a relative name was in the performance file's folder");
    g_free(from);
    g_free(to);
    g_free(path);
    g_free(other);
    hpmviz_sources_free(sources);
}

/* ---- reading --------------------------------------------------------- */

static void
expect_refusal(const char *root, const char *path, const char *sentence)
{
    struct hpmviz_sourcefile file = {.bytes = NULL};
    char *folder = at(root);
    char *whole = path[0] == '/' ? g_strdup(path) : at(path);
    GError *error = NULL;
    gboolean is_read = hpmviz_sourcefile_read(folder, whole, &file, &error);

    ok(!is_read && error != NULL, sentence);
    hpmviz_sourcefile_clear(&file);
    g_clear_error(&error);
    g_free(folder);
    g_free(whole);
}

static void
test_refusals(void)
{
    char *fifo = at("work/fifo"), *link = at("work/out"),
         *huge = at("work/huge");
    char *inner = at("work/in"), *magic = at("work/magic");
    struct hpmviz_sourcefile file;
    char *root = at("work");

    ok(mkfifo(fifo, 0600) == 0 && symlink("/etc/passwd", link) == 0 &&
           symlink("src/swim.f", inner) == 0 &&
           symlink("/proc/self/fd/0", magic) == 0,
       "a FIFO and links can be made");
    put("work/huge", "");
    ok(truncate(huge, (off_t)1 << 40) == 0, "and a file of a terabyte");
    expect_refusal("work", "/etc/passwd", "a file outside is refused");
    expect_refusal("work", "work/../one/calc.f", "'..' out of it is refused");
    expect_refusal("work", "work/out", "a link out of it is refused");
    expect_refusal("work", "work/magic", "a magic link is refused");
    expect_refusal("work", "work/fifo",
                   "a FIFO is refused, and not waited for");
    expect_refusal("work", "work/huge", "a terabyte is refused");
    expect_refusal("work", "work/src", "a folder is refused");
    expect_refusal("work", "/proc/self/environ", "/proc is refused");
    expect_refusal("work", "/dev/tty", "a terminal is refused");
    ok(hpmviz_sourcefile_read(root, inner, &file, NULL),
       "a link that stays inside is followed");
    hpmviz_sourcefile_clear(&file);
    g_free(fifo);
    g_free(link);
    g_free(huge);
    g_free(inner);
    g_free(magic);
    g_free(root);
}

static void
test_common_ends(void)
{
    static const struct {
        const char *a, *b;
        size_t n;
        const char *sentence;
    } cases[] = {
        {"/src/app/main.c", "/src/app/main.c", 15, "a name is its own"},
        {"/src/app/main.c", "app/main.c", 10, "a shorter one is part of it"},
        {"main.c", "/src/app/main.c", 6, "in either order"},
        {"/src/app/main.c", "../app/main.c", 10, "what leads up says nothing"},
        {"/src/app/main.c", ".././../main.c", 6, "however often"},
        {"/src/app/main.c", "/src/obj/../app/main.c", 15,
         "a way there and back"},
        {"/build/libfoo/main.c", "/src/app/main.c", 0, "another whole path"},
        {"/src/libfoo/main.c", "app/main.c", 0, "another folder"},
        {"/x/src/main.c", "/src/main.c", 0, "a whole path is no end"},
        {"/src/app/main.c", "ain.c", 0, "nor is a part of a name"},
        {"/src/myapp/main.c", "app/main.c", 0, "of a folder, too"},
        {"", "", 0, "no name"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        is_count(hpmviz_sources_common_end(cases[i].a, cases[i].b), cases[i].n,
                 cases[i].sentence);
}

int
main(void)
{
    char *folder = g_dir_make_tmp("hpm-sources-XXXXXX", NULL);

    top = realpath(folder, NULL);
    put("work/src/swim.f", "      PROGRAM SWIM\n");
    put("one/calc.f", "1\n");
    put("one/sub/deep.f", "1\n");
    put("two/calc.f", "2\n");
    put("two/deep.f", "2\n");
    put("moved/src/swim.f", "m\n");
    put("moved/inc/deep.h", "m\n");
    test_finding();
    test_roots();
    test_short_names();
    test_common_ends();
    test_locating();
    test_refusals();
    remove_all(top);
    free(top);
    g_free(folder);
    return done();
}
