/* SPDX-License-Identifier: BSD-3-Clause
 * Output files that are complete or absent, and never replace another file. */
#include "file/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/string.h"
#include "host/descriptor.h"
#include "host/memory.h"
#include "host/path.h"
#include "host/write.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* ---- destinations ---------------------------------------------------- */

/* The buffer is not on the stack, because a thread may have little stack. */
static bool
add_current_folder(struct hpm_string *folder, struct hpm_error *err)
{
    char *current = hpm_memory_new(PATH_MAX, 1);
    bool is_good = current != NULL && getcwd(current, PATH_MAX) != NULL;

    if (is_good)
        hpm_string_add(folder, current);
    else if (current == NULL)
        hpm_error_no_memory(err);
    else
        hpm_error_set(err, "the current folder cannot be named: %s",
                      strerror(errno));
    hpm_memory_free(current);
    return is_good;
}

static char *
absolute_folder(const char *path, struct hpm_error *err)
{
    const char *slash = strrchr(path, '/');
    struct hpm_string folder = {0};

    if (path[0] != '/') {
        if (!add_current_folder(&folder, err))
            return NULL;
        if (slash != NULL && strcmp(hpm_string_text(&folder), "/") != 0)
            hpm_string_add_char(&folder, '/');
    }
    if (slash != NULL)
        hpm_string_add_bytes(&folder, path,
                             slash == path ? 1 : (size_t)(slash - path));
    if (folder.failed) {
        hpm_string_free(&folder);
        hpm_error_no_memory(err);
    }
    return folder.text;
}

static int
open_folder(const char *path)
{
    return hpm_descriptor_move_up(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static bool
check_target(const struct hpm_destination *destination, const char *path,
             struct hpm_error *err)
{
    struct stat status;

    if (destination->name[0] == '\0')
        return hpm_error_set(err,
                             "'%s' is a folder; expected the name of a "
                             "file",
                             path);
    if (strlen(destination->name) > NAME_MAX - 8)
        return hpm_error_set(err, "the file name '%.40s...' is too long",
                             destination->name);
    if (fstatat(destination->fd, destination->name, &status,
                AT_SYMLINK_NOFOLLOW) == 0 &&
        !S_ISREG(status.st_mode))
        return hpm_error_set(err,
                             "'%s' is not a regular file; choose another "
                             "name",
                             path);
    if (faccessat(destination->fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
        return hpm_error_set(err, "cannot write into the folder '%s': %s",
                             destination->folder, strerror(errno));
    return true;
}

bool
hpm_destination_fix(struct hpm_destination *ret_destination, const char *path,
                    struct hpm_error *err)
{
    struct hpm_destination destination = {.fd = -1};
    struct stat status;

    destination.folder = absolute_folder(path, err);
    if (destination.folder == NULL)
        return false;
    destination.name = hpm_memory_copy_text(hpm_path_base_name(path));
    if (destination.name == NULL) {
        hpm_destination_clear(&destination);
        return hpm_error_no_memory(err);
    }
    destination.fd = open_folder(destination.folder);
    if (destination.fd < 0 || fstat(destination.fd, &status) != 0) {
        hpm_error_set(err, "cannot write into the folder '%s': %s",
                      destination.folder, strerror(errno));
        hpm_destination_clear(&destination);
        return false;
    }
    destination.device = status.st_dev;
    destination.inode = status.st_ino;
    if (!check_target(&destination, path, err)) {
        hpm_destination_clear(&destination);
        return false;
    }
    *ret_destination = destination;
    return true;
}

/* Is the descriptor still our folder's?  The program may have closed it and
 * opened another file with its number. */
static bool
is_folder_still(const struct hpm_destination *destination)
{
    struct stat status;

    return destination->fd >= 0 && fstat(destination->fd, &status) == 0 &&
           S_ISDIR(status.st_mode) && status.st_dev == destination->device &&
           status.st_ino == destination->inode;
}

void
hpm_destination_clear(struct hpm_destination *destination)
{
    if (is_folder_still(destination))
        close(destination->fd);
    hpm_memory_free(destination->folder);
    hpm_memory_free(destination->name);
    *destination = (struct hpm_destination){.fd = -1};
}

/* A descriptor of the folder, to be given back by leave_folder; -1 and errno if
 * there is none. */
static int
enter_folder(const struct hpm_destination *destination)
{
    return is_folder_still(destination) ? destination->fd
                                        : open_folder(destination->folder);
}

static void
leave_folder(const struct hpm_destination *destination, int fd)
{
    int saved_errno = errno;

    if (fd >= 0 && fd != destination->fd)
        close(fd);
    errno = saved_errno;
}

int
hpm_destination_open_file(const struct hpm_destination *destination,
                          const char *name, int flags)
{
    int folder_fd = enter_folder(destination);
    int fd = -1;

    if (folder_fd >= 0)
        fd = hpm_descriptor_move_up(
            openat(folder_fd, name, flags | O_NOFOLLOW | O_CLOEXEC, 0666));
    leave_folder(destination, folder_fd);
    return fd;
}

bool
hpm_destination_remove_file(const struct hpm_destination *destination,
                            const char *name)
{
    int folder_fd = enter_folder(destination);
    bool is_removed = folder_fd >= 0 && unlinkat(folder_fd, name, 0) == 0;

    leave_folder(destination, folder_fd);
    return is_removed;
}

void
hpm_destination_add_path(const struct hpm_destination *destination,
                         const char *name, struct hpm_string *string)
{
    hpm_string_add(string, destination->folder);
    if (strcmp(destination->folder, "/") != 0)
        hpm_string_add_char(string, '/');
    hpm_string_add(string, name);
}

/* ---- writing --------------------------------------------------------- */

struct hpm_output {
    char *folder;
    char *name;
    int folder_fd;
    bool owns_folder_fd;
    int fd;
    int error; /* errno of the first failure */
    char temporary[64];
};

static void
free_output(struct hpm_output *output)
{
    if (output->fd >= 0)
        close(output->fd);
    if (output->owns_folder_fd)
        close(output->folder_fd);
    hpm_memory_free(output->folder);
    hpm_memory_free(output->name);
    hpm_memory_free(output);
}

static void
open_temporary(struct hpm_output *output)
{
    for (unsigned attempt = 0; attempt < 10000; attempt++) {
        snprintf(output->temporary, sizeof output->temporary, ".hpm-%ld-%u.tmp",
                 (long)getpid(), attempt);
        output->fd =
            openat(output->folder_fd, output->temporary,
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        output->fd = hpm_descriptor_move_up(output->fd);
        if (output->fd >= 0 || errno != EEXIST)
            return;
    }
}

struct hpm_output *
hpm_output_open(const struct hpm_destination *destination,
                struct hpm_error *err)
{
    struct hpm_output *output = hpm_memory_new(1, sizeof *output);

    if (output == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    output->fd = -1;
    output->folder_fd = destination->fd;
    output->folder = hpm_memory_copy_text(destination->folder);
    output->name = hpm_memory_copy_text(destination->name);
    if (output->folder == NULL || output->name == NULL) {
        hpm_error_no_memory(err);
        free_output(output);
        return NULL;
    }
    if (!is_folder_still(destination)) {
        output->folder_fd = open_folder(destination->folder);
        output->owns_folder_fd = output->folder_fd >= 0;
    }
    if (output->folder_fd >= 0)
        open_temporary(output);
    if (output->fd < 0) {
        hpm_error_set(err, "cannot make a file in '%s': %s", output->folder,
                      strerror(errno));
        free_output(output);
        return NULL;
    }
    return output;
}

struct hpm_output *
hpm_output_open_stream(int fd, struct hpm_error *err)
{
    struct hpm_output *output = hpm_memory_new(1, sizeof *output);

    if (output == NULL)
        hpm_error_no_memory(err);
    else
        *output = (struct hpm_output){.fd = fd, .folder_fd = -1};
    return output;
}

bool
hpm_output_close(struct hpm_output *output, struct hpm_error *err)
{
    int error = output->error;

    hpm_memory_free(output);
    return error == 0 ||
           hpm_error_set(err, "cannot write all of it: %s", strerror(error));
}

void
hpm_output_write(struct hpm_output *output, const char *bytes, size_t length)
{
    if (output->error == 0)
        output->error = hpm_write_all(output->fd, bytes, length);
}

static bool
rename_to(const struct hpm_output *output, const char *name)
{
    int fd = output->folder_fd;

    if (syscall(SYS_renameat2, fd, output->temporary, fd, name,
                RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
        return false;
    /* the file system lacks that flag: linkat does not replace a file,
     * either */
    if (linkat(fd, output->temporary, fd, name, 0) != 0)
        return false;
    unlinkat(fd, output->temporary, 0);
    return true;
}

/* Rename to the first free of NAME, NAME.1, NAME.2 ...; needs no memory. */
static bool
give_name(const struct hpm_output *output, char *ret_name, size_t size)
{
    for (unsigned suffix = 0; suffix < 1000000; suffix++) {
        if (suffix == 0)
            snprintf(ret_name, size, "%s", output->name);
        else
            snprintf(ret_name, size, "%s.%u", output->name, suffix);
        if (rename_to(output, ret_name))
            return true;
        if (errno != EEXIST)
            break;
    }
    return false;
}

static bool
make_path(const struct hpm_output *output, const char *name, char **ret_path)
{
    struct hpm_string path = {0};

    hpm_string_add(&path, output->folder);
    if (strcmp(output->folder, "/") != 0)
        hpm_string_add_char(&path, '/');
    hpm_string_add(&path, name);
    if (path.failed)
        hpm_string_free(&path);
    *ret_path = path.text;
    return path.text != NULL;
}

void
hpm_output_remove_unfinished(const struct hpm_output *output)
{
    unlinkat(output->folder_fd, output->temporary, 0);
}

void
hpm_output_abandon(struct hpm_output *output)
{
    hpm_output_remove_unfinished(output);
    free_output(output);
}

/* EINVAL and EROFS are no errors: such a file system has no fsync, and its
 * files need none. */
static int
bring_to_disk(int fd)
{
    int status;

    do
        status = fsync(fd);
    while (status != 0 && errno == EINTR);
    return status == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

bool
hpm_output_commit(struct hpm_output *output, bool is_synced, char **ret_path,
                  struct hpm_error *err)
{
    char name[NAME_MAX + 1];
    bool is_good;

    if (output->error == 0 && is_synced)
        output->error = bring_to_disk(output->fd);
    if (output->error != 0) {
        hpm_error_set(err, "cannot write '%s' in '%s': %s", output->name,
                      output->folder, strerror(output->error));
        hpm_output_abandon(output);
        return false;
    }
    if (!give_name(output, name, sizeof name)) {
        hpm_error_set(err,
                      "cannot name '%s' in '%s': %s; the data is in "
                      "'%s' there",
                      output->name, output->folder, strerror(errno),
                      output->temporary);
        is_good = false;
    } else {
        is_good = make_path(output, name, ret_path) ||
                  hpm_error_set(err,
                                "out of memory; the file is '%s' in "
                                "'%s'",
                                name, output->folder);
    }
    free_output(output);
    return is_good;
}

/* ---- appending ------------------------------------------------------- */

enum { PATIENCE_MS = 10000, STEP_MS = 5 };

static bool
lock(int fd)
{
    const struct timespec step = {0, STEP_MS * 1000000L};

    for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waited += STEP_MS) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= PATIENCE_MS)
            return false;
        nanosleep(&step, NULL);
    }
    return true;
}

/* Opens only a regular file with one name: since the path was checked, the name
 * may have become a link or a pipe. */
static int
open_to_append(int folder_fd, const char *name, struct stat *ret_status)
{
    const int flags =
        O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int fd = openat(folder_fd, name, flags | O_RDWR, 0666);

    if (fd < 0 && errno == EACCES) /* we may write but not read it: its header
                                    * stays unknown */
        fd = openat(folder_fd, name, flags | O_WRONLY, 0666);
    fd = hpm_descriptor_move_up(fd);
    if (fd < 0)
        return -1;
    if (fstat(fd, ret_status) == 0 && S_ISREG(ret_status->st_mode) &&
        ret_status->st_nlink <= 1)
        return fd;
    close(fd);
    errno = EMLINK;
    return -1;
}

static bool
begins_with(int fd, const char *bytes, size_t length)
{
    char part[512];
    size_t n = 0;

    while (n < length) {
        size_t wanted = length - n < sizeof part ? length - n : sizeof part;
        ssize_t got = pread(fd, part, wanted, (off_t)n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || memcmp(part, bytes + n, (size_t)got) != 0)
            return false;
        n += (size_t)got;
    }
    return length > 0;
}

/* If another program left the last line without an end, our text would be
 * joined to it. */
static bool
ends_a_line(int fd, off_t size)
{
    char last;

    return size == 0 || pread(fd, &last, 1, size - 1) != 1 || last == '\n';
}

/* The number of fields in a table's line; commas in quotation marks do not end
 * a field. */
static size_t
count_fields(const char *line, size_t length)
{
    bool is_quoted = false;
    size_t n = 1;

    for (size_t i = 0; i < length && line[i] != '\n'; i++) {
        is_quoted ^= line[i] == '"';
        n += line[i] == ',' && !is_quoted;
    }
    return n;
}

/* Has the file's last line as many fields as `line`?  If not, it is of another
 * table.  False also for a last line longer than the part that is read. */
static bool
ends_with_fields_of(int fd, off_t size, const char *line, size_t length)
{
    char part[4096];
    off_t at = size > (off_t)sizeof part ? size - (off_t)sizeof part : 0;
    ssize_t got = pread(fd, part, sizeof part, at);
    size_t begin, end = got > 0 ? (size_t)got : 0;

    end -= end > 0 && part[end - 1] == '\n';
    for (begin = end; begin > 0 && part[begin - 1] != '\n'; begin--)
        ;
    return end > 0 && (begin > 0 || at == 0) &&
           count_fields(part + begin, end - begin) ==
               count_fields(line, length);
}

/* If not all could be written, the written part is cut off again, unless a
 * program that ignores the lock has added to the file meanwhile. */
static int
append_locked(int fd, const char *bytes, size_t length, size_t header_length)
{
    struct stat before, after;
    size_t n_ends = 0, written = 0;
    int error = 0;

    if (fstat(fd, &before) != 0)
        return errno;
    if (begins_with(fd, bytes, header_length) &&
        ends_with_fields_of(fd, before.st_size, bytes, header_length)) {
        bytes += header_length;
        length -= header_length;
    }
    if (!ends_a_line(fd, before.st_size))
        error = hpm_write_counted(fd, "\n", 1, &n_ends);
    if (error == 0)
        error = hpm_write_counted(fd, bytes, length, &written);
    if (error != 0 && n_ends + written > 0 && fstat(fd, &after) == 0 &&
        after.st_size == before.st_size + (off_t)(n_ends + written) &&
        ftruncate(fd, before.st_size) != 0)
        error = errno;
    return error;
}

bool
hpm_output_append(const struct hpm_destination *destination, const char *bytes,
                  size_t length, size_t header_length, struct hpm_error *err)
{
    bool is_still = is_folder_still(destination);
    int folder_fd =
        is_still ? destination->fd : open_folder(destination->folder);
    struct stat status;
    int fd = folder_fd >= 0
                 ? open_to_append(folder_fd, destination->name, &status)
                 : -1;
    int error = fd < 0 ? errno : 0;

    if (error == 0)
        error =
            lock(fd) ? append_locked(fd, bytes, length, header_length) : errno;
    if (fd >= 0)
        close(fd);
    if (!is_still && folder_fd >= 0)
        close(folder_fd);
    return error == 0 ||
           hpm_error_set(err, "cannot add to '%s' in '%s': %s",
                         destination->name, destination->folder,
                         error == EMLINK || error == ELOOP
                             ? "it is a link, has several names, or is no "
                               "regular file"
                             : strerror(error));
}
