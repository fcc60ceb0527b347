/* SPDX-License-Identifier: BSD-3-Clause
 * Moving a file aside, so that the user can get it back. */
#include "host/path.h"
#include "hpm/recover/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* Where leases are not supported, a file that did not change for so long is
 * taken for one that no program writes to. */
enum { MOST_NAMES = 100000, QUIET_S = 60 };

/* ---- holding --------------------------------------------------------- */

/* The kernel gives a read lease only where no program has the file open for
 * writing; a program that opens it for writing later waits until the lease is
 * given back.  The kernel announces this by SIGIO, which would end this
 * program. */
static enum aside_writers
find_writers(int fd)
{
    signal(SIGIO, SIG_IGN);
    if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0)
        return ASIDE_NO_WRITER;
    return errno == EAGAIN ? ASIDE_A_WRITER : ASIDE_UNKNOWN;
}

bool
aside_hold(struct aside *ret_aside, const char *path, struct hpm_error *err)
{
    int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
    struct aside aside = {.path = path};

    do
        aside.fd = open(path, flags);
    while (aside.fd < 0 && errno == EINTR);
    if (aside.fd < 0)
        return hpm_error_set(err, "%.300s: %s", path,
                             errno == ELOOP ? "is a link; give the file itself"
                                            : strerror(errno));
    if (fstat(aside.fd, &aside.status) != 0) {
        hpm_error_set(err, "%.300s: %s", path, strerror(errno));
    } else if (!S_ISREG(aside.status.st_mode)) {
        hpm_error_set(err, "%.300s: is no regular file", path);
    } else {
        aside.writers = find_writers(aside.fd);
        *ret_aside = aside;
        return true;
    }
    close(aside.fd);
    return false;
}

void
aside_release(struct aside *aside)
{
    if (aside->fd >= 0)
        close(aside->fd);
    aside->fd = -1;
}

/* ---- moving ---------------------------------------------------------- */

static size_t
length_of_folder(const char *path)
{
    return (size_t)(hpm_path_base_name(path) - path);
}

/* The folder of leftovers, beside the file. */
static void
add_folder(const struct aside *aside, struct hpm_string *place)
{
    hpm_string_add_bytes(place, aside->path, length_of_folder(aside->path));
    hpm_string_add(place, ASIDE_FOLDER);
}

static void
add_name(const struct aside *aside, unsigned n, struct hpm_string *place)
{
    add_folder(aside, place);
    hpm_string_add_char(place, '/');
    hpm_string_add(place, hpm_path_base_name(aside->path));
    if (n > 0)
        hpm_string_add_format(place, ".%u", n);
}

void
aside_add_place(const struct aside *aside, struct hpm_string *place)
{
    struct hpm_string found = {0};
    struct stat status;

    for (unsigned n = 0; n < MOST_NAMES; n++) {
        hpm_string_clear(&found);
        add_name(aside, n, &found);
        if (lstat(hpm_string_text(&found), &status) != 0)
            break;
    }
    hpm_string_add(place, hpm_string_text(&found));
    hpm_string_free(&found);
}

static bool
are_one_file(const char *a, const char *b)
{
    struct stat x, y;

    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* Never replace another file.  A file system without RENAME_NOREPLACE has
 * links, which replace nothing either. */
static bool
move(const char *from, const char *to)
{
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to,
                RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
        return false;
    if (link(from, to) != 0)
        return false;
    if (are_one_file(from, to) && unlink(from) == 0)
        return true;
    unlink(to); /* undo: the file still has its first name */
    return false;
}

/* Is the file of this name the held file, unchanged? */
static bool
is_unchanged(const struct aside *aside, const char *path)
{
    const struct stat *before = &aside->status;
    struct stat now;

    return lstat(path, &now) == 0 && S_ISREG(now.st_mode) &&
           now.st_dev == before->st_dev && now.st_ino == before->st_ino &&
           now.st_size == before->st_size &&
           now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

static bool
make_folder(const struct aside *aside, struct hpm_error *err)
{
    struct hpm_string folder = {0};
    struct stat status;
    bool is_good;

    add_folder(aside, &folder);
    is_good = !folder.failed &&
              (mkdir(folder.text, 0777) == 0 ||
               (errno == EEXIST && lstat(folder.text, &status) == 0 &&
                S_ISDIR(status.st_mode)));
    if (!is_good)
        hpm_error_set(err, "%.300s: stays: no folder '%.300s' can be made: %s",
                      aside->path, hpm_string_text(&folder), strerror(errno));
    hpm_string_free(&folder);
    return is_good;
}

/* Remove the folder if it is empty. */
static void
drop_folder(const struct aside *aside)
{
    struct hpm_string folder = {0};

    add_folder(aside, &folder);
    if (!folder.failed)
        rmdir(folder.text);
    hpm_string_free(&folder);
}

static bool
move_to_free(const struct aside *aside, struct hpm_string *ret_place,
             struct hpm_error *err)
{
    for (unsigned n = 0; n < MOST_NAMES; n++) {
        hpm_string_clear(ret_place);
        add_name(aside, n, ret_place);
        if (ret_place->failed)
            return hpm_error_no_memory(err);
        if (move(aside->path, ret_place->text))
            return true;
        if (errno != EEXIST)
            break;
    }
    return hpm_error_set(err, "%.300s: stays: cannot be moved: %s", aside->path,
                         strerror(errno));
}

bool
aside_move(struct aside *aside, struct hpm_string *ret_place,
           struct hpm_error *err)
{
    bool is_good = false;

    if (aside->writers == ASIDE_A_WRITER)
        return hpm_error_set(err, "%.300s: stays: a program is writing to it",
                             aside->path);
    if (aside->writers == ASIDE_UNKNOWN &&
        time(NULL) - aside->status.st_mtim.tv_sec < QUIET_S)
        return hpm_error_set(err,
                             "%.300s: stays: it was changed a moment ago, and "
                             "whether a program writes to it is not known here",
                             aside->path);
    if (!is_unchanged(aside, aside->path))
        return hpm_error_set(err, "%.300s: stays: it has changed meanwhile",
                             aside->path);
    if (!make_folder(aside, err))
        return false;
    if (move_to_free(aside, ret_place, err)) {
        is_good = is_unchanged(aside, ret_place->text);
        if (!is_good && move(ret_place->text, aside->path))
            hpm_error_set(err, "%.300s: stays: it has changed meanwhile",
                          aside->path);
        else if (!is_good)
            hpm_error_set(err,
                          "%.200s: was moved to '%.200s', and has changed "
                          "meanwhile",
                          aside->path, ret_place->text);
    }
    if (!is_good)
        drop_folder(aside);
    return is_good;
}

/* ---- deleting -------------------------------------------------------- */

/* The file that now has the data must survive a power failure before this one
 * is deleted. */
static bool
sync_folder(const struct aside *aside)
{
    struct hpm_string folder = {0};
    bool is_good;
    int fd, status;

    hpm_string_add_bytes(&folder, aside->path, length_of_folder(aside->path));
    hpm_string_add_char(&folder, '.');
    fd = folder.failed ? -1
                       : open(folder.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    do
        status = fd >= 0 ? fsync(fd) : -1;
    while (fd >= 0 && status != 0 && errno == EINTR);
    is_good = fd >= 0 && (status == 0 || errno == EINVAL || errno == EROFS);
    if (fd >= 0)
        close(fd);
    hpm_string_free(&folder);
    return is_good;
}

bool
aside_delete(struct aside *aside, const char *place, struct hpm_error *err)
{
    if (aside->writers != ASIDE_NO_WRITER)
        return hpm_error_set(err,
                             "%.300s: is not deleted: its file system does not "
                             "say whether a program writes to it",
                             place);
    if (!sync_folder(aside))
        return hpm_error_set(err,
                             "%.300s: is not deleted: what was recovered "
                             "cannot be brought to the disk: %s",
                             place, strerror(errno));
    if (!is_unchanged(aside, place) || unlink(place) != 0)
        return hpm_error_set(err, "%.300s: cannot be deleted", place);
    drop_folder(aside);
    return true;
}
