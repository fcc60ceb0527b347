/* SPDX-License-Identifier: BSD-3-Clause
 * Small files of /proc and /sys, read without stdio. */
#include "source/machine/procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/descriptor.h"

long
hpm_procfile_read(const char *path, char *ret_text, size_t size)
{
    int saved_errno = errno;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;

    if (fd < 0) {
        errno = saved_errno;
        return -1;
    }
    while (length < size - 1) {
        ssize_t n = read(fd, ret_text + length, size - 1 - length);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        length += (size_t)n;
    }
    ret_text[length] = '\0';
    close(fd);
    errno = saved_errno;
    return (long)length;
}

void
hpm_procfile_hold(struct hpm_procfile *file, const char *path)
{
    int saved_errno = errno;
    struct stat status;

    *file = (struct hpm_procfile){.fd = -1};
    if (hpm_descriptor_has_room(1))
        file->fd = hpm_descriptor_hold(open(path, O_RDONLY | O_CLOEXEC));
    if (file->fd >= 0 && fstat(file->fd, &status) == 0) {
        file->device = status.st_dev;
        file->inode = status.st_ino;
    }
    errno = saved_errno;
}

long
hpm_procfile_reread(const struct hpm_procfile *file, char *ret_text,
                    size_t size)
{
    int saved_errno = errno;
    ssize_t length = -1;

    if (file->fd >= 0)
        length = pread(file->fd, ret_text, size - 1, 0);
    if (length >= 0)
        ret_text[length] = '\0';
    errno = saved_errno;
    return (long)length;
}

void
hpm_procfile_release(struct hpm_procfile *file)
{
    int saved_errno = errno;
    struct stat status;

    if (file->fd < 0)
        return;
    if (fstat(file->fd, &status) == 0 && status.st_dev == file->device &&
        status.st_ino == file->inode)
        close(file->fd);
    hpm_descriptor_release(file->fd);
    file->fd = -1;
    errno = saved_errno;
}

bool
hpm_procfile_line(const char *path, char *ret_line, size_t size)
{
    if (hpm_procfile_read(path, ret_line, size) < 0)
        return false;
    ret_line[strcspn(ret_line, "\n")] = '\0';
    return true;
}

long
hpm_procfile_number(const char *path, long otherwise)
{
    char text[64];
    char *end;
    long number;

    if (!hpm_procfile_line(path, text, sizeof text))
        return otherwise;
    number = strtol(text, &end, 10);
    return end != text ? number : otherwise;
}
