/* SPDX-License-Identifier: BSD-3-Clause
 * Saving a source file so that neither text is lost. */
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "hpmviz/sourcefile.h"

struct saving {
    const char *path; /* without links on it */
    const char *bytes;
    gsize n_bytes;
    const struct hpmviz_identity *known;
    gboolean is_there;
    struct stat old; /* of what is there */
};

static gboolean
fail(GError **error, const char *path, int number)
{
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(number),
                "%s: %s", path, g_strerror(number));
    return FALSE;
}

static gboolean
write_whole(int fd, const char *bytes, gsize n_bytes)
{
    while (n_bytes > 0) {
        ssize_t n = write(fd, bytes, n_bytes);

        if (n < 0 && errno != EINTR)
            return FALSE;
        if (n > 0) {
            bytes += n;
            n_bytes -= (gsize)n;
        }
    }
    return TRUE;
}

/* Close, and keep errno of what failed before. */
static gboolean
close_after(int fd, gboolean is_good)
{
    int number = errno;

    if (close(fd) != 0 && is_good)
        return FALSE;
    errno = number;
    return is_good;
}

/* ---- being alike ----------------------------------------------------- */

/* Without its access list a file's mode may let more people in. */
static gboolean
copy_attribute(const char *path, const char *name, int fd)
{
    gboolean is_list = strcmp(name, "system.posix_acl_access") == 0;
    ssize_t length = getxattr(path, name, NULL, 0);
    char *value = length >= 0 ? g_malloc((gsize)length + 1) : NULL;

    if (value != NULL)
        length = getxattr(path, name, value, (size_t)length);
    if (length >= 0 && fsetxattr(fd, name, value, (size_t)length, 0) == 0)
        length = 0;
    else
        length = -1;
    g_free(value);
    return length == 0 || !is_list;
}

static gboolean
copy_attributes(const char *path, int fd)
{
    ssize_t length = listxattr(path, NULL, 0);
    char *names = length > 0 ? g_malloc((gsize)length) : NULL;
    gboolean is_good = TRUE;

    if (names != NULL)
        length = listxattr(path, names, (size_t)length);
    for (ssize_t at = 0; names != NULL && at < length && is_good;
         at += (ssize_t)strlen(names + at) + 1)
        is_good = copy_attribute(path, names + at, fd);
    g_free(names);
    return is_good;
}

/* The owner first: giving a file away takes its set-user-ID bits.  The mode
 * last: an access list changes it. */
static gboolean
take_after(int fd, const struct saving *saving)
{
    const struct stat *old = &saving->old;
    struct stat own;

    if (fstat(fd, &own) != 0)
        return FALSE;
    if ((own.st_uid != old->st_uid || own.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0)
        return FALSE;
    return copy_attributes(saving->path, fd) &&
           fchmod(fd, old->st_mode & 07777) == 0;
}

/* ---- replacing ------------------------------------------------------- */

static gboolean
write_beside(const struct saving *saving, const char *temporary)
{
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                  saving->is_there ? 0600 : 0666);
    gboolean is_good;
    int number;

    if (fd < 0)
        return FALSE;
    is_good = write_whole(fd, saving->bytes, saving->n_bytes) &&
              (!saving->is_there || take_after(fd, saving)) && fsync(fd) == 0;
    if (close_after(fd, is_good))
        return TRUE;
    number = errno;
    unlink(temporary);
    errno = number;
    return FALSE;
}

static gboolean
report_change(const char *path, GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG,
                "%s was changed by another program", path);
    return FALSE;
}

static gboolean
drop(const char *temporary)
{
    unlink(temporary);
    return FALSE;
}

/* The two files change names, so that it can be seen what was replaced: what
 * another program wrote in the last moment gets its name back. */
static gboolean
give_name(const struct saving *saving, const char *temporary, GError **error)
{
    struct hpmviz_identity identity;
    struct stat replaced;

    if (saving->known == NULL || renameat2(AT_FDCWD, temporary, AT_FDCWD,
                                           saving->path, RENAME_EXCHANGE) != 0)
        return rename(temporary, saving->path) == 0 ||
               fail(error, saving->path, errno) || drop(temporary);
    if (stat(temporary, &replaced) != 0)
        return fail(error, temporary, errno);
    identity = hpmviz_identity_of(&replaced);
    if (hpmviz_identity_is_same(&identity, saving->known))
        return unlink(temporary) == 0 || fail(error, temporary, errno);
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, saving->path,
                  RENAME_EXCHANGE) != 0)
        return fail(error, temporary, errno); /* their text: it stays */
    return report_change(saving->path, error) || drop(temporary);
}

static char *
name_beside(const char *path)
{
    char *folder = g_path_get_dirname(path);
    char *name = g_strdup_printf(".hpmviz-%08x.tmp", g_random_int());
    char *whole = g_build_filename(folder, name, NULL);

    g_free(folder);
    g_free(name);
    return whole;
}

/* Why the file may be written into, but not be replaced. */
static gboolean
report_irreplaceable(const char *path, const char *why, GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANT_CREATE_BACKUP,
                "%s cannot be replaced in one step: %s", path, why);
    return FALSE;
}

static gboolean
replace(const struct saving *saving, GError **error)
{
    char *temporary = name_beside(saving->path);
    gboolean is_good = FALSE;

    if (saving->is_there && saving->old.st_nlink > 1)
        report_irreplaceable(saving->path, "it has other names, too", error);
    else if (write_beside(saving, temporary))
        is_good = give_name(saving, temporary, error);
    else if (saving->is_there &&
             (errno == EACCES || errno == EPERM || errno == EROFS))
        report_irreplaceable(saving->path, g_strerror(errno), error);
    else
        fail(error, saving->path, errno);
    g_free(temporary);
    return is_good;
}

/* ---- writing into ---------------------------------------------------- */

/* Room is taken first: a full disk is seen before the old text is touched. */
static gboolean
overwrite(const struct saving *saving, GError **error)
{
    int fd = open(saving->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    gboolean is_good;
    int number = 0;

    if (fd < 0)
        return fail(error, saving->path, errno);
    is_good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (is_good && saving->n_bytes > (gsize)status.st_size)
        number = posix_fallocate(fd, 0, (off_t)saving->n_bytes);
    if (number != 0 && number != EOPNOTSUPP) {
        is_good = ftruncate(fd, status.st_size) == 0 && FALSE;
        errno = number;
    }
    is_good = is_good && write_whole(fd, saving->bytes, saving->n_bytes) &&
              ftruncate(fd, (off_t)saving->n_bytes) == 0 && fsync(fd) == 0;
    return close_after(fd, is_good) || fail(error, saving->path, errno);
}

/* ---- both ------------------------------------------------------------ */

static void
sync_folder(const char *path)
{
    char *folder = g_path_get_dirname(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    g_free(folder);
}

static gboolean
is_permitted(struct saving *saving, GError **error)
{
    struct hpmviz_identity identity;

    saving->is_there = stat(saving->path, &saving->old) == 0;
    if (!saving->is_there)
        return saving->known == NULL || report_change(saving->path, error);
    identity = hpmviz_identity_of(&saving->old);
    if (saving->known != NULL &&
        !hpmviz_identity_is_same(&identity, saving->known))
        return report_change(saving->path, error);
    if (!S_ISREG(saving->old.st_mode))
        return fail(error, saving->path, EINVAL);
    /* a rename would not mind */
    return faccessat(AT_FDCWD, saving->path, W_OK, AT_EACCESS) == 0 ||
           fail(error, saving->path, errno);
}

/* The path without links, also of a file that is not there; for free(). */
static char *
real_path(const char *path)
{
    char *real = realpath(path, NULL), *folder, *name, *whole;
    struct stat status;

    if (real != NULL || errno != ENOENT || lstat(path, &status) == 0)
        return real;
    folder = g_path_get_dirname(path);
    real = realpath(folder, NULL);
    g_free(folder);
    if (real == NULL)
        return NULL;
    name = g_path_get_basename(path);
    whole = g_build_filename(real, name, NULL);
    free(real);
    real = strdup(whole);
    g_free(name);
    g_free(whole);
    return real;
}

gboolean
hpmviz_sourcefile_save(const char *path, const char *bytes, gsize n_bytes,
                       const struct hpmviz_identity *known, enum hpmviz_way way,
                       struct hpmviz_identity *ret_identity, GError **error)
{
    char *real = real_path(path);
    struct saving saving = {
        .path = real, .bytes = bytes, .n_bytes = n_bytes, .known = known};
    struct stat status;
    gboolean is_good;

    if (real == NULL)
        return fail(error, path, errno);
    is_good =
        is_permitted(&saving, error) &&
        (way == HPMVIZ_WRITE_INTO && saving.is_there ? overwrite(&saving, error)
                                                     : replace(&saving, error));
    if (is_good) {
        sync_folder(real);
        if (stat(real, &status) == 0)
            *ret_identity = hpmviz_identity_of(&status);
    }
    free(real);
    return is_good;
}
