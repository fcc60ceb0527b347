/* SPDX-License-Identifier: BSD-3-Clause
 * A source file on disk. */
#include "hpmviz/source/sourcefile.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hpmviz/data/sourceplace.h"

static gboolean
fail(GError **error, const char *path, int number)
{
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(number),
                "%s: %s", path, g_strerror(number));
    return FALSE;
}

struct hpmviz_fileidentity
hpmviz_fileidentity_of(const struct stat *status)
{
    return (struct hpmviz_fileidentity){
        .device = status->st_dev,
        .inode = status->st_ino,
        .size = (guint64)status->st_size,
        .seconds = status->st_mtim.tv_sec,
        .nanoseconds = status->st_mtim.tv_nsec,
    };
}

gboolean
hpmviz_fileidentity_is_same(const struct hpmviz_fileidentity *a,
                            const struct hpmviz_fileidentity *b)
{
    return a->device == b->device && a->inode == b->inode &&
           a->size == b->size && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds;
}

/* ---- reading --------------------------------------------------------- */

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

/* A link that was put there since is not followed. */
static gboolean
read_at(const struct hpmviz_sourceplace *place, const char *path,
        struct hpmviz_sourcefile *file, GError **error)
{
    int fd = openat(place->folder, place->name,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    gboolean is_good;

    if (fd < 0)
        return fail(error, path, errno);
    is_good = fstat(fd, &status) == 0 || fail(error, path, errno);
    is_good = is_good && is_readable_kind(path, &status, error) &&
              (read_whole(fd, file) || fail(error, path, errno));
    close(fd);
    if (!is_good)
        return FALSE;
    file->identity = hpmviz_fileidentity_of(&status);
    file->is_writable =
        faccessat(place->folder, place->name, W_OK, AT_EACCESS) == 0;
    return TRUE;
}

gboolean
hpmviz_sourcefile_read(const char *root, const char *path,
                       struct hpmviz_sourcefile *ret_file, GError **error)
{
    struct hpmviz_sourcefile file = {.bytes = NULL};
    struct hpmviz_sourceplace place;
    gboolean is_good;

    if (!hpmviz_sourceplace_find(root, path, &place, error))
        return FALSE;
    is_good = read_at(&place, path, &file, error);
    if (is_good)
        *ret_file = file;
    hpmviz_sourceplace_clear(&place);
    return is_good;
}

void
hpmviz_sourcefile_clear(struct hpmviz_sourcefile *file)
{
    g_clear_pointer(&file->bytes, g_free);
}

gboolean
hpmviz_sourcefile_is_same(const char *root, const char *path,
                          const struct hpmviz_fileidentity *known,
                          GError **error)
{
    struct hpmviz_sourceplace place;
    struct hpmviz_fileidentity now = {0};
    struct stat status;
    gboolean is_there;

    if (!hpmviz_sourceplace_find(root, path, &place, error))
        return FALSE;
    is_there =
        fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    hpmviz_sourceplace_clear(&place);
    if (is_there)
        now = hpmviz_fileidentity_of(&status);
    if (is_there && hpmviz_fileidentity_is_same(&now, known))
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG,
                is_there ? "%s was changed by another program"
                         : "%s was removed by another program",
                path);
    return FALSE;
}
