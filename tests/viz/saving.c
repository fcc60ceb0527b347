/* SPDX-License-Identifier: BSD-3-Clause
 * A source file is saved so that neither the old nor the new text is lost. */
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "hpmviz/source/sourcefile.h"
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

    g_mkdir_with_parents(folder, 0755);
    g_file_set_contents(whole, text, -1, NULL);
    g_free(folder);
    g_free(whole);
}

static gboolean
save(const char *path, const char *text,
     const struct hpmviz_fileidentity *known, enum hpmviz_way way,
     GError **error)
{
    struct hpmviz_fileidentity identity;

    return hpmviz_sourcefile_save(top, path, text, strlen(text), known, way,
                                  &identity, error);
}

static gboolean
has_text(const char *path, const char *expected)
{
    char *text = NULL;
    gboolean is_same = g_file_get_contents(path, &text, NULL, NULL) &&
                       strcmp(text, expected) == 0;

    g_free(text);
    return is_same;
}

static void
test_saving(void)
{
    struct hpmviz_sourcefile file;
    struct hpmviz_fileidentity identity;
    char *root = at("plain"), *path = at("plain/a.f"),
         *link = at("plain/link.f");
    GError *error = NULL;
    struct stat status;

    put("plain/a.f", "old\n");
    chmod(path, 0640);
    ok(symlink("a.f", link) == 0 &&
           hpmviz_sourcefile_read(root, path, &file, NULL),
       "a file to save can be read");
    ok(hpmviz_sourcefile_save(top, link, "new\n", 4, &file.identity,
                              HPMVIZ_REPLACE, &identity, NULL) &&
           has_text(path, "new\n"),
       "saving through a link replaces what it points to");
    ok(lstat(link, &status) == 0 && S_ISLNK(status.st_mode) &&
           stat(path, &status) == 0 && (status.st_mode & 07777) == 0640,
       "the link stays one, the file keeps its mode");
    ok(hpmviz_sourcefile_is_same(top, path, &identity, NULL),
       "what was saved is known");
    ok(!hpmviz_sourcefile_save(top, path, "mine\n", 5, &file.identity,
                               HPMVIZ_REPLACE, &identity, &error) &&
           g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG) &&
           has_text(path, "new\n"),
       "a file that others changed is not overwritten unasked");
    g_clear_error(&error);
    ok(hpmviz_sourcefile_save(top, path, "mine\n", 5, NULL, HPMVIZ_REPLACE,
                              &identity, NULL) &&
           has_text(path, "mine\n"),
       "but when it is wanted");
    ok(n_entries(root) == 2, "nothing is left beside it");
    hpmviz_sourcefile_clear(&file);
    g_free(root);
    g_free(path);
    g_free(link);
}

/* A limit on the size of files acts like a full disk. */
static void
test_full_disk(void)
{
    char *path = at("plain/a.f"), *root = at("plain"), *bytes;
    struct rlimit limit, small;
    struct hpmviz_fileidentity identity;
    GError *error = NULL;
    gboolean is_saved;

    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 1000;
    bytes = g_strnfill(5000, 'x');
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    is_saved = hpmviz_sourcefile_save(top, path, bytes, 5000, NULL,
                                      HPMVIZ_REPLACE, &identity, &error);
    setrlimit(RLIMIT_FSIZE, &limit);
    ok(!is_saved && error != NULL && has_text(path, "mine\n") &&
           n_entries(root) == 2,
       "where there is no room the old file stays, and nothing else");
    g_clear_error(&error);
    g_free(bytes);
    g_free(path);
    g_free(root);
}

/* Check the error of a failed call, and whether the old text is still there. */
static void
expect_failure(const char *path, const struct hpmviz_fileidentity *known,
               enum hpmviz_way way, int code, const char *old,
               const char *sentence)
{
    GError *error = NULL;
    gboolean is_saved = save(path, "new\n", known, way, &error);

    ok(!is_saved && g_error_matches(error, G_IO_ERROR, code) &&
           (old == NULL || has_text(path, old)),
       sentence);
    if (error != NULL && error->code != code)
        printf("# %d: %s\n", error->code, error->message);
    g_clear_error(&error);
}

static void
test_other_names(void)
{
    char *path = at("hard/a.f"), *other = at("hard/b.f");

    put("hard/a.f", "a long old text\n");
    ok(link(path, other) == 0, "a file can have two names");
    expect_failure(path, NULL, HPMVIZ_REPLACE, G_IO_ERROR_CANT_CREATE_BACKUP,
                   "a long old text\n",
                   "a file with another name is not replaced unasked");
    ok(save(path, "new\n", NULL, HPMVIZ_WRITE_INTO, NULL) &&
           has_text(path, "new\n") && has_text(other, "new\n"),
       "written into, it has the text under both, and no more than it");
    g_free(path);
    g_free(other);
}

static void
test_no_room_inside(void)
{
    char *path = at("hard/a.f"), *bytes = g_strnfill(5000, 'x');
    struct rlimit limit, small;
    struct hpmviz_fileidentity identity;
    gboolean is_saved;

    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    is_saved = hpmviz_sourcefile_save(top, path, bytes, 5000, NULL,
                                      HPMVIZ_WRITE_INTO, &identity, NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    ok(!is_saved && has_text(path, "new\n"),
       "without room nothing is written into a file, either");
    g_free(path);
    g_free(bytes);
}

static void
test_attributes(void)
{
    char *path = at("marked/a.f"), value[8] = "";

    put("marked/a.f", "old\n");
    if (setxattr(path, "user.note", "kept", 4, 0) != 0) {
        ok(true, "attributes # SKIP the file system has none");
        g_free(path);
        return;
    }
    ok(save(path, "new\n", NULL, HPMVIZ_REPLACE, NULL) &&
           getxattr(path, "user.note", value, sizeof value) == 4 &&
           memcmp(value, "kept", 4) == 0,
       "a file keeps its attributes");
    g_free(path);
}

static void
test_new_files(void)
{
    char *path = at("plain/new.f"), *dangling = at("plain/dangling.f"),
         *nowhere = at("no/such/folder/a.f"), *folder = at("plain");
    struct hpmviz_fileidentity known = {.inode = 1};
    struct stat status;
    mode_t mask = umask(027);

    expect_failure(path, &known, HPMVIZ_REPLACE, G_IO_ERROR_WRONG_ETAG, NULL,
                   "a file that others removed is not made again unasked");
    ok(save(path, "new\n", NULL, HPMVIZ_REPLACE, NULL) &&
           stat(path, &status) == 0 && (status.st_mode & 07777) == 0640,
       "but when it is wanted, with the mode of new files");
    umask(mask);
    ok(symlink("nothing", dangling) == 0, "a link can lead nowhere");
    expect_failure(dangling, NULL, HPMVIZ_REPLACE, G_IO_ERROR_NOT_FOUND, NULL,
                   "it is not replaced by a file");
    expect_failure(nowhere, NULL, HPMVIZ_REPLACE, G_IO_ERROR_NOT_FOUND, NULL,
                   "no folders are made");
    expect_failure(folder, NULL, HPMVIZ_WRITE_INTO, G_IO_ERROR_INVALID_ARGUMENT,
                   NULL, "a folder is not written into");
    g_free(path);
    g_free(dangling);
    g_free(nowhere);
    g_free(folder);
}

/* A name of 255 bytes leaves no room for a longer one beside it. */
static void
test_long_names(void)
{
    char *name = g_strnfill(255, 'n'),
         *path = g_build_filename(top, name, NULL);

    ok(save(path, "old\n", NULL, HPMVIZ_REPLACE, NULL) &&
           save(path, "new\n", NULL, HPMVIZ_REPLACE, NULL) &&
           has_text(path, "new\n"),
       "a file with the longest name there can be is saved");
    g_free(name);
    g_free(path);
}

/* As a user who has only the rights given by modes: root may do all. */
static void
test_rights(void)
{
    char *path = at("locked/a.f"), *read_only = at("open/r.f"),
         *folder = at("locked");
    pid_t child;
    int status;

    put("locked/a.f", "old\n");
    put("open/r.f", "old\n");
    if (geteuid() == 0 && (chown(path, 65534, (gid_t)-1) != 0 ||
                           chown(read_only, 65534, (gid_t)-1) != 0))
        printf("# chown failed\n");
    chmod(top, 0755);
    chmod(read_only, 0444);
    chmod(folder, geteuid() == 0 ? 0755 : 0555);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
            _exit(1);
        expect_failure(read_only, NULL, HPMVIZ_REPLACE,
                       G_IO_ERROR_PERMISSION_DENIED, "old\n",
                       "a read-only file is not replaced");
        expect_failure(read_only, NULL, HPMVIZ_WRITE_INTO,
                       G_IO_ERROR_PERMISSION_DENIED, "old\n",
                       "nor written into");
        expect_failure(path, NULL, HPMVIZ_REPLACE,
                       G_IO_ERROR_CANT_CREATE_BACKUP, "old\n",
                       "in a read-only folder a file is not replaced");
        ok(save(path, "new\n", NULL, HPMVIZ_WRITE_INTO, NULL) &&
               has_text(path, "new\n"),
           "but can be written into");
        fflush(stdout);
        _exit(tap_failed > 0);
    }
    waitpid(child, &status, 0);
    tap_n += 4; /* the child's assertions */
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
       "that is so for somebody without special rights");
    chmod(folder, 0755);
    g_free(path);
    g_free(read_only);
    g_free(folder);
}

int
main(void)
{
    char *folder = g_dir_make_tmp("hpm-saving-XXXXXX", NULL);

    top = realpath(folder, NULL);
    signal(SIGXFSZ, SIG_IGN);
    test_saving();
    test_full_disk();
    test_other_names();
    test_no_room_inside();
    test_attributes();
    test_new_files();
    test_long_names();
    test_rights();
    remove_all(top);
    free(top);
    g_free(folder);
    return done();
}
