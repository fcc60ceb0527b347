/* SPDX-License-Identifier: BSD-3-Clause
 * Saving a source file so that neither text is lost. */
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "host/write.h"
#include "hpmviz/data/sourceplace.h"
#include "hpmviz/source/sourcefile.h"

struct saving {
    const char *root, *path;
    struct hpmviz_sourceplace place;
    const char *bytes;
    gsize n_bytes;
    const struct hpmviz_fileidentity *known;
    gboolean is_there;
    struct stat old, new; /* of what is there, and of what was written */
};

static gboolean
fail(GError **error, const char *path, int number)
{
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(number),
                "%s: %s", path, g_strerror(number));
    return FALSE;
}

static gboolean
write_whole(int fd, const struct saving *saving)
{
    int number = hpm_write_all(fd, saving->bytes, saving->n_bytes);

    errno = number != 0 ? number : errno;
    return number == 0;
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

/* ---- the file in its folder ------------------------------------------ */

static gboolean
look_at(const struct saving *saving, const char *name, struct stat *ret_status)
{
    return fstatat(saving->place.folder, name, ret_status,
                   AT_SYMLINK_NOFOLLOW) == 0;
}

static gboolean
is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* What open_old says of a file that is not the one that was looked at. */
static gboolean
is_other(int number)
{
    return number == ESTALE || number == ELOOP || number == ENOENT;
}

/* Open what is there, if it is still the file that was looked at; -1 if not. */
static int
open_old(const struct saving *saving, int flags)
{
    int fd = openat(saving->place.folder, saving->place.name,
                    flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;

    if (fd < 0 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                   is_same_file(&status, &saving->old)))
        return fd;
    close(fd);
    errno = ESTALE;
    return -1;
}

/* ---- being alike ----------------------------------------------------- */

/* Without its access list a file's mode may let more people in. */
static gboolean
copy_attribute(int old, const char *name, int fd)
{
    gboolean is_list = strcmp(name, "system.posix_acl_access") == 0;
    ssize_t length = fgetxattr(old, name, NULL, 0);
    char *value = length >= 0 ? g_malloc((gsize)length + 1) : NULL;

    if (value != NULL)
        length = fgetxattr(old, name, value, (size_t)length);
    if (length >= 0 && fsetxattr(fd, name, value, (size_t)length, 0) == 0)
        length = 0;
    else
        length = -1;
    g_free(value);
    return length == 0 || !is_list;
}

static gboolean
copy_attributes(int old, int fd)
{
    ssize_t length = flistxattr(old, NULL, 0);
    char *names = length > 0 ? g_malloc((gsize)length) : NULL;
    gboolean is_good = length >= 0 || errno == ENOTSUP;

    if (names != NULL)
        length = flistxattr(old, names, (size_t)length);
    for (ssize_t at = 0; names != NULL && at < length && is_good;
         at += (ssize_t)strlen(names + at) + 1)
        is_good = copy_attribute(old, names + at, fd);
    g_free(names);
    return is_good;
}

/* The owner first: giving a file away takes its set-user-ID bits.  The mode
 * last: an access list changes it. */
static gboolean
take_all(int from, int fd, const struct stat *old)
{
    struct stat own;

    if (fstat(fd, &own) != 0)
        return FALSE;
    if ((own.st_uid != old->st_uid || own.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0)
        return FALSE;
    return copy_attributes(from, fd) && fchmod(fd, old->st_mode & 07777) == 0;
}

static gboolean
take_after(int fd, const struct saving *saving)
{
    int from = open_old(saving, O_RDONLY);

    return from >= 0 && close_after(from, take_all(from, fd, &saving->old));
}

/* ---- replacing ------------------------------------------------------- */

static void
drop(const struct saving *saving, const char *temporary)
{
    int number = errno;

    unlinkat(saving->place.folder, temporary, 0);
    errno = number;
}

static gboolean
write_beside(struct saving *saving, const char *temporary)
{
    int fd = openat(saving->place.folder, temporary,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    saving->is_there ? 0600 : 0666);
    gboolean is_good;

    if (fd < 0)
        return FALSE;
    is_good = write_whole(fd, saving) &&
              (!saving->is_there || take_after(fd, saving)) && fsync(fd) == 0 &&
              fstat(fd, &saving->new) == 0;
    if (close_after(fd, is_good))
        return TRUE;
    drop(saving, temporary);
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
is_known(const struct saving *saving, const struct stat *status)
{
    struct hpmviz_fileidentity identity = hpmviz_fileidentity_of(status);

    return hpmviz_fileidentity_is_same(&identity, saving->known);
}

/* Is what has this name the file that was read? */
static gboolean
is_still(const struct saving *saving, const char *name)
{
    struct stat status;

    return look_at(saving, name, &status) && is_known(saving, &status);
}

static gboolean
change_names(const struct saving *saving, const char *temporary)
{
    return renameat2(saving->place.folder, temporary, saving->place.folder,
                     saving->place.name, RENAME_EXCHANGE) == 0;
}

static gboolean
take_name(const struct saving *saving, const char *temporary, GError **error)
{
    if (renameat(saving->place.folder, temporary, saving->place.folder,
                 saving->place.name) == 0)
        return TRUE;
    drop(saving, temporary);
    return fail(error, saving->path, errno);
}

/* The two files change names, so that it can be seen what was replaced: what
 * another program wrote in the last moment gets its name back.  Where the file
 * system cannot do that there is such a moment. */
static gboolean
give_name(const struct saving *saving, const char *temporary, GError **error)
{
    if (saving->known == NULL)
        return take_name(saving, temporary, error);
    if (!change_names(saving, temporary)) {
        if (is_still(saving, saving->place.name))
            return take_name(saving, temporary, error);
        drop(saving, temporary);
        return report_change(saving->path, error);
    }
    if (is_still(saving, temporary))
        return unlinkat(saving->place.folder, temporary, 0) == 0 ||
               fail(error, saving->path, errno);
    if (change_names(saving, temporary)) {
        drop(saving, temporary);
        return report_change(saving->path, error);
    }
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG,
                "%s was changed by another program; what that wrote is in the "
                "file %s beside it",
                saving->path, temporary);
    return FALSE;
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
replace(struct saving *saving, GError **error)
{
    char *temporary = g_strdup_printf(".hpmviz-%08x.tmp", g_random_int());
    gboolean is_good = FALSE;

    if (saving->is_there && saving->old.st_nlink > 1)
        report_irreplaceable(saving->path, "it has other names, too", error);
    else if (write_beside(saving, temporary))
        is_good = give_name(saving, temporary, error);
    else if (saving->is_there && is_other(errno))
        report_change(saving->path, error);
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
write_over(int fd, struct saving *saving)
{
    int number = 0;

    if (saving->n_bytes > (gsize)saving->old.st_size)
        number = posix_fallocate(fd, 0, (off_t)saving->n_bytes);
    if (number != 0 && number != EOPNOTSUPP) {
        if (ftruncate(fd, saving->old.st_size) == 0)
            errno = number;
        return FALSE;
    }
    return write_whole(fd, saving) &&
           ftruncate(fd, (off_t)saving->n_bytes) == 0 && fsync(fd) == 0 &&
           fstat(fd, &saving->new) == 0;
}

static gboolean
overwrite(struct saving *saving, GError **error)
{
    int fd = open_old(saving, O_WRONLY);

    if (fd < 0)
        return is_other(errno) ? report_change(saving->path, error)
                               : fail(error, saving->path, errno);
    return close_after(fd, write_over(fd, saving)) ||
           fail(error, saving->path, errno);
}

/* ---- both ------------------------------------------------------------ */

static void
sync_folder(const struct saving *saving)
{
    int fd =
        openat(saving->place.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

static gboolean
is_permitted(struct saving *saving, GError **error)
{
    saving->is_there = look_at(saving, saving->place.name, &saving->old);
    if (!saving->is_there &&
        (errno != ENOENT || (saving->place.is_linked && saving->known == NULL)))
        return fail(error, saving->path, errno);
    if (!saving->is_there)
        return saving->known == NULL || report_change(saving->path, error);
    if (saving->known != NULL && !is_known(saving, &saving->old))
        return report_change(saving->path, error);
    if (!S_ISREG(saving->old.st_mode))
        return fail(error, saving->path, EINVAL);
    /* a rename would not mind */
    return faccessat(saving->place.folder, saving->place.name, W_OK,
                     AT_EACCESS) == 0 ||
           fail(error, saving->path, errno);
}

/* Is what was written what the path leads to?  Its folder may have been moved
 * away, with the file in it. */
static gboolean
is_arrived(const struct saving *saving,
           struct hpmviz_fileidentity *ret_identity, GError **error)
{
    struct hpmviz_sourceplace place;
    struct stat status;
    gboolean is_there;

    if (!hpmviz_sourceplace_find(saving->root, saving->path, &place, error))
        return FALSE;
    is_there =
        fstatat(place.folder, place.name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    hpmviz_sourceplace_clear(&place);
    if (!is_there || !is_same_file(&status, &saving->new))
        return report_change(saving->path, error);
    *ret_identity = hpmviz_fileidentity_of(&status);
    return TRUE;
}

gboolean
hpmviz_sourcefile_save(const char *root, const char *path, const char *bytes,
                       gsize n_bytes, const struct hpmviz_fileidentity *known,
                       enum hpmviz_way way,
                       struct hpmviz_fileidentity *ret_identity, GError **error)
{
    struct saving saving = {.root = root,
                            .path = path,
                            .bytes = bytes,
                            .n_bytes = n_bytes,
                            .known = known};
    gboolean is_good;

    if (!hpmviz_sourceplace_find(root, path, &saving.place, error))
        return FALSE;
    is_good =
        is_permitted(&saving, error) &&
        (way == HPMVIZ_WRITE_INTO && saving.is_there ? overwrite(&saving, error)
                                                     : replace(&saving, error));
    if (is_good) {
        sync_folder(&saving);
        is_good = is_arrived(&saving, ret_identity, error);
    }
    hpmviz_sourceplace_clear(&saving.place);
    return is_good;
}
