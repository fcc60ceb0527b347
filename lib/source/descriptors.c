/* SPDX-License-Identifier: BSD-3-Clause
 * The descriptors of performance counters another library opens for us. */
#include "source/descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "source/perf.h"

void
hpm_descriptors_free(struct hpm_descriptors *descriptors)
{
    hpm_memory_free(descriptors->list);
    *descriptors = (struct hpm_descriptors){0};
}

/* By name: asked by ioctl, a file of the program might misunderstand. */
static bool
is_counter(const char *fd)
{
    static const char expected[] = "anon_inode:[perf_event]";
    char path[64], target[sizeof expected + 1];
    ssize_t length;

    snprintf(path, sizeof path, "/proc/self/fd/%.20s", fd);
    length = readlink(path, target, sizeof target);
    return length == (ssize_t)sizeof expected - 1 &&
           memcmp(target, expected, sizeof expected - 1) == 0;
}

static bool
add(struct hpm_descriptors *descriptors, int fd)
{
    if (!hpm_memory_grow(&descriptors->list, &descriptors->capacity,
                         descriptors->n + 1, sizeof *descriptors->list))
        return false;
    descriptors->list[descriptors->n].fd = fd;
    descriptors->list[descriptors->n++].identity = hpm_perf_identity(fd);
    return true;
}

bool
hpm_descriptors_scan(struct hpm_descriptors *ret_descriptors,
                     struct hpm_error *err)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    bool is_good = true;

    if (folder == NULL && errno == EMFILE)
        hpm_perf_explain(EMFILE, err);
    else if (folder == NULL)
        hpm_error_set(err, "/proc/self/fd cannot be read here");
    if (folder == NULL)
        return false;
    while (is_good && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.' && is_counter(entry->d_name))
            is_good = add(ret_descriptors, atoi(entry->d_name));
    }
    closedir(folder);
    return is_good || hpm_error_no_memory(err);
}

static bool
contains(const struct hpm_descriptors *descriptors, uint64_t identity)
{
    for (size_t i = 0; i < descriptors->n; i++) {
        if (descriptors->list[i].identity == identity)
            return true;
    }
    return false;
}

/* The kernel gives identities in sequence. */
static int
compare_age(const void *a, const void *b)
{
    uint64_t x = ((const struct hpm_descriptor *)a)->identity;
    uint64_t y = ((const struct hpm_descriptor *)b)->identity;

    return (x > y) - (x < y);
}

void
hpm_descriptors_keep_new(struct hpm_descriptors *descriptors,
                         const struct hpm_descriptors *before)
{
    size_t n = 0;

    for (size_t i = 0; i < descriptors->n; i++) {
        if (!contains(before, descriptors->list[i].identity))
            descriptors->list[n++] = descriptors->list[i];
    }
    descriptors->n = n;
    if (n > 1)
        qsort(descriptors->list, n, sizeof *descriptors->list, compare_age);
    for (size_t i = 0; i < n; i++)
        fcntl(descriptors->list[i].fd, F_SETFD, FD_CLOEXEC);
}

bool
hpm_descriptors_are_there(const struct hpm_descriptors *descriptors)
{
    for (size_t i = 0; i < descriptors->n; i++) {
        if (hpm_perf_identity(descriptors->list[i].fd) !=
            descriptors->list[i].identity)
            return false;
    }
    return true;
}

void
hpm_descriptors_close(struct hpm_descriptors *descriptors)
{
    for (size_t i = descriptors->n; i-- > 0;)
        hpm_perf_close(descriptors->list[i].fd,
                       descriptors->list[i].identity);
    descriptors->n = 0;
}

bool
hpm_descriptors_has_room(int n)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool has_room = fd >= 0 && !hpm_perf_is_in_reserve(fd);

    if (has_room && n > 1)
        has_room = hpm_descriptors_has_room(n - 1);
    if (fd >= 0)
        close(fd);
    return has_room;
}

void
hpm_standard_hold(struct hpm_standard_hold *hold)
{
    int saved_errno = errno;

    *hold = (struct hpm_standard_hold){0};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        /* it takes the lowest number that is free, which is this one */
        hold->is_held[fd] = open("/dev/null", O_RDWR | O_CLOEXEC) == fd;
    }
    errno = saved_errno;
}

void
hpm_standard_release(const struct hpm_standard_hold *hold)
{
    int saved_errno = errno;

    for (int fd = 0; fd < 3; fd++) {
        if (hold->is_held[fd])
            close(fd);
    }
    errno = saved_errno;
}
