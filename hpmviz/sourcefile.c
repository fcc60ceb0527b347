/* SPDX-License-Identifier: BSD-3-Clause
 * A source file on disk. */
#include "hpmviz/sourcefile.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static gboolean
fail(GError **error, const char *path, int number)
{
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(number),
                "%s: %s", path, g_strerror(number));
    return FALSE;
}

struct hpmviz_identity
hpmviz_identity_of(const struct stat *status)
{
    return (struct hpmviz_identity){
        .device = status->st_dev,
        .inode = status->st_ino,
        .size = (guint64)status->st_size,
        .seconds = status->st_mtim.tv_sec,
        .nanoseconds = status->st_mtim.tv_nsec,
    };
}

gboolean
hpmviz_identity_is_same(const struct hpmviz_identity *a,
                        const struct hpmviz_identity *b)
{
    return a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds;
}

/* ---- reading --------------------------------------------------------- */

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

/* Kernels before 5.6 do not confine: there no link may be on the way. */
static int
open_without_links(int root, const char *way, int flags)
{
    char **names = g_strsplit(way, "/", -1);
    int fd = fcntl(root, F_DUPFD_CLOEXEC, 3);

    for (int i = 0; fd >= 0 && names[i] != NULL; i++) {
        gboolean is_last = names[i + 1] == NULL;
        int next = -1;

        if (strcmp(names[i], "..") == 0)
            errno = EXDEV;
        else
            next =
                openat(fd, names[i],
                       is_last ? flags | O_NOFOLLOW
                               : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(fd);
        fd = next;
    }
    g_strfreev(names);
    return fd;
}

static int
open_below(const char *root, const char *way)
{
    int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct open_how how = {.flags = (guint64)flags,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

    if (folder < 0)
        return -1;
    fd = (int)syscall(SYS_openat2, folder, way, &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM))
        fd = open_without_links(folder, way, flags);
    close(folder);
    return fd;
}

static gboolean
is_readable_kind(const char *path, const struct stat *status, GError **error)
{
    if (!S_ISREG(status->st_mode)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                    "%s is not a regular file", path);
        return FALSE;
    }
    if (status->st_size > HPMVIZ_LARGEST_SOURCE) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                    "%s is larger than %d MiB", path,
                    HPMVIZ_LARGEST_SOURCE >> 20);
        return FALSE;
    }
    return TRUE;
}

/* Files of /proc say they are empty and files may grow: up to the end, but not
 * beyond what is allowed. */
static gboolean
read_whole(int fd, struct hpmviz_sourcefile *file)
{
    GString *bytes = g_string_new(NULL);
    char part[65536];
    ssize_t n;

    do {
        n = read(fd, part, sizeof part);
        if (n > 0)
            g_string_append_len(bytes, part, n);
        if (bytes->len > HPMVIZ_LARGEST_SOURCE) {
            errno = EFBIG;
            n = -1;
            break;
        }
    } while (n > 0 || (n < 0 && errno == EINTR));
    file->n_bytes = bytes->len;
    file->bytes = g_string_free(bytes, n < 0);
    return n == 0;
}

gboolean
hpmviz_sourcefile_read(const char *root, const char *path,
                       struct hpmviz_sourcefile *ret_file, GError **error)
{
    struct hpmviz_sourcefile file = {.bytes = NULL};
    const char *way = way_below(root, path);
    struct stat status;
    gboolean is_good;
    int fd;

    if (way == NULL || *way == '\0')
        return fail(error, path, EXDEV);
    fd = open_below(root, way);
    if (fd < 0)
        return fail(error, path, errno);
    is_good = fstat(fd, &status) == 0 || fail(error, path, errno);
    is_good = is_good && is_readable_kind(path, &status, error) &&
              (read_whole(fd, &file) || fail(error, path, errno));
    close(fd);
    if (!is_good)
        return FALSE;
    file.identity = hpmviz_identity_of(&status);
    file.is_writable = access(path, W_OK) == 0;
    *ret_file = file;
    return TRUE;
}

void
hpmviz_sourcefile_clear(struct hpmviz_sourcefile *file)
{
    g_clear_pointer(&file->bytes, g_free);
}

gboolean
hpmviz_sourcefile_is_changed(const char *path,
                             const struct hpmviz_identity *known)
{
    struct hpmviz_identity now;
    struct stat status;

    if (stat(path, &status) != 0)
        return TRUE;
    now = hpmviz_identity_of(&status);
    return !hpmviz_identity_is_same(&now, known);
}
