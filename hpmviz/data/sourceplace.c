/* SPDX-License-Identifier: BSD-3-Clause
 * The place of a file beneath a folder the user confirmed. */
#include "hpmviz/data/sourceplace.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as the kernel has it */

/* The way from root to path, without a slash before it; NULL when it does not
 * begin there. */
static const char *
way_below(const char *root, const char *path)
{
    gsize length = strlen(root);

    while (length > 0 && root[length - 1] == '/')
        length--;
    if (strncmp(root, path, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + strspn(path + length, "/");
}

/* Close, and keep errno of what failed before. */
static void
close_quietly(int fd)
{
    int number = errno;

    close(fd);
    errno = number;
}

/* ---- folders --------------------------------------------------------- */

/* Kernels before 5.6 do not confine: there no folder may be a link. */
static int
open_without_links(int top, const char *way)
{
    char **names = g_strsplit(way, "/", -1);
    int fd = fcntl(top, F_DUPFD_CLOEXEC, 3);

    for (int i = 0; fd >= 0 && names[i] != NULL; i++) {
        int next = -1;

        if (names[i][0] == '\0')
            continue;
        if (strcmp(names[i], "..") == 0)
            errno = EXDEV;
        else
            next = openat(fd, names[i],
                          O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close_quietly(fd);
        fd = next;
    }
    g_strfreev(names);
    return fd;
}

static int
open_folder(int top, const char *way, guint64 resolve)
{
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                           .resolve = resolve | RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, top, way, &how, sizeof how);

    if (fd < 0 && (errno == ENOSYS || errno == EPERM))
        fd = open_without_links(top, way);
    return fd;
}

/* It was made real when it was confirmed: a link on its way is newer. */
static int
open_root(const char *root)
{
    int top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

    if (top < 0)
        return -1;
    root += strspn(root, "/");
    fd = open_folder(top, *root != '\0' ? root : ".", RESOLVE_NO_SYMLINKS);
    close_quietly(top);
    return fd;
}

/* ---- the name -------------------------------------------------------- */

/* Where the link leads, for g_free; NULL for what is none, or not there. */
static char *
read_link(int folder, const char *name)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(folder, name, target, sizeof target);

    return length >= 0 ? g_strndup(target, (gsize)length) : NULL;
}

static void
cut_slashes(char *way)
{
    for (gsize n = strlen(way); n > 0 && way[n - 1] == '/'; n--)
        way[n - 1] = '\0';
}

/* One name further: TRUE when it is no link, and then ret_place is set.  Or
 * else *way, which is freed, is where to look next, NULL and errno for nowhere.
 */
static gboolean
step(int root, char **way, struct hpmviz_sourceplace *ret_place)
{
    char *above = g_path_get_dirname(*way), *name = g_path_get_basename(*way);
    int folder = open_folder(root, above, RESOLVE_BENEATH);
    char *target = folder >= 0 ? read_link(folder, name) : NULL;
    gboolean is_name = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    gboolean is_found = folder >= 0 && target == NULL && is_name;
    int number = 0;

    g_clear_pointer(way, g_free);
    if (folder < 0)
        number = errno;
    else if (!is_name)
        number = EISDIR;
    else if (target != NULL && target[0] == '/')
        number = EXDEV;
    else if (target != NULL)
        *way = g_build_filename(above, target, NULL);
    if (is_found)
        *ret_place = (struct hpmviz_sourceplace){.folder = folder,
                                                 .name = g_strdup(name)};
    else if (folder >= 0)
        close(folder);
    g_free(target);
    g_free(name);
    g_free(above);
    errno = number;
    return is_found;
}

static gboolean
find_below(int root, const char *below, struct hpmviz_sourceplace *ret_place)
{
    char *way = g_strdup(below);
    gboolean is_found = FALSE;
    int n = 0;

    for (; way != NULL && !is_found && n < MOST_LINKS; n++) {
        cut_slashes(way);
        is_found = step(root, &way, ret_place);
    }
    if (is_found)
        ret_place->is_linked = n > 1;
    if (n == MOST_LINKS && !is_found)
        errno = ELOOP;
    g_free(way);
    return is_found;
}

/* ---- both ------------------------------------------------------------ */

static gboolean
report_way_out(const char *root, const char *path, GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                "%s leads out of the folder %s, which alone was confirmed",
                path, root);
    return FALSE;
}

static gboolean
fail(GError **error, const char *path)
{
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno), "%s: %s",
                path, g_strerror(errno));
    return FALSE;
}

gboolean
hpmviz_sourceplace_find(const char *root, const char *path,
                        struct hpmviz_sourceplace *ret_place, GError **error)
{
    const char *way = way_below(root, path);
    gboolean is_found;
    int fd;

    if (way == NULL || *way == '\0')
        return report_way_out(root, path, error);
    fd = open_root(root);
    if (fd < 0 && errno == ELOOP) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                    "%s is not where it was: the folder %s, which was "
                    "confirmed, is reached by a link now",
                    path, root);
        return FALSE;
    }
    if (fd < 0)
        return fail(error, root);
    is_found = find_below(fd, way, ret_place);
    close_quietly(fd);
    return is_found || (errno == EXDEV ? report_way_out(root, path, error)
                                       : fail(error, path));
}

void
hpmviz_sourceplace_clear(struct hpmviz_sourceplace *place)
{
    if (place->name != NULL)
        close(place->folder);
    g_clear_pointer(&place->name, g_free);
}
