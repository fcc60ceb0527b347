/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's counters that PAPI opens for us, identified by their
 * descriptors. */
#include "source/obstacle.h"
#include "source/papicounters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/folder.h"
#include "host/memory.h"
#include "source/perf.h"

void
hpm_papicounters_free(struct hpm_papicounters *counters)
{
    hpm_memory_free(counters->list);
    *counters = (struct hpm_papicounters){0};
}

/* Checks the name of the descriptor's file: an ioctl might mean something else
 * to a file of the program. */
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
add(struct hpm_papicounters *counters, int fd)
{
    if (!hpm_memory_grow(&counters->list, &counters->capacity, counters->n + 1,
                         sizeof *counters->list))
        return false;
    counters->list[counters->n].fd = fd;
    counters->list[counters->n++].identity = hpm_perf_identity(fd);
    return true;
}

bool
hpm_papicounters_scan(struct hpm_papicounters *ret_counters,
                      struct hpm_error *err)
{
    struct hpm_folder folder;
    const char *fd;
    bool is_good = true;

    if (!hpm_folder_open(&folder, "/proc/self/fd")) {
        if (errno == EMFILE)
            hpm_obstacle_explain(EMFILE, err);
        else
            hpm_error_set(err, "/proc/self/fd cannot be read here");
        return false;
    }
    while (is_good && (fd = hpm_folder_next(&folder)) != NULL) {
        if (is_counter(fd))
            is_good = add(ret_counters, atoi(fd));
    }
    hpm_folder_close(&folder);
    return is_good || hpm_error_no_memory(err);
}

static bool
contains(const struct hpm_papicounters *counters, uint64_t identity)
{
    for (size_t i = 0; i < counters->n; i++) {
        if (counters->list[i].identity == identity)
            return true;
    }
    return false;
}

/* The kernel gives out identities in ascending order. */
static int
compare_age(const void *a, const void *b)
{
    uint64_t x = ((const struct hpm_papicounter *)a)->identity;
    uint64_t y = ((const struct hpm_papicounter *)b)->identity;

    return (x > y) - (x < y);
}

void
hpm_papicounters_keep_new(struct hpm_papicounters *counters,
                          const struct hpm_papicounters *before)
{
    size_t n = 0;

    for (size_t i = 0; i < counters->n; i++) {
        if (!contains(before, counters->list[i].identity))
            counters->list[n++] = counters->list[i];
    }
    counters->n = n;
    if (n > 1)
        qsort(counters->list, n, sizeof *counters->list, compare_age);
    for (size_t i = 0; i < n; i++)
        fcntl(counters->list[i].fd, F_SETFD, FD_CLOEXEC);
}

bool
hpm_papicounters_are_there(const struct hpm_papicounters *counters)
{
    for (size_t i = 0; i < counters->n; i++) {
        if (hpm_perf_identity(counters->list[i].fd) !=
            counters->list[i].identity)
            return false;
    }
    return true;
}

void
hpm_papicounters_close(struct hpm_papicounters *counters)
{
    for (size_t i = counters->n; i-- > 0;) {
        if (hpm_perf_identity(counters->list[i].fd) ==
            counters->list[i].identity)
            close(counters->list[i].fd);
    }
    counters->n = 0;
}
