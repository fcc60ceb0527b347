/* SPDX-License-Identifier: BSD-3-Clause
 * Tracepoints, and their numbers in tracefs. */
#include "source/machine/tracepoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "source/machine/procfile.h"

/* Older systems mount tracefs within debugfs. */
static const char *const roots[] = {"/sys/kernel/tracing/events",
                                    "/sys/kernel/debug/tracing/events"};

enum { N_ROOTS = sizeof roots / sizeof *roots };

static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* Where the second part of "syscalls:sys_enter_write" begins, or NULL. */
static const char *
split(const char *name, size_t *ret_length)
{
    size_t length = strspn(name, letters);
    const char *event = name + length + 1;

    *ret_length = length;
    return length > 0 && name[length] == ':' && event[0] != '\0' &&
                   event[strspn(event, letters)] == '\0'
               ? event
               : NULL;
}

bool
hpm_tracepoint_find(const char *name, uint64_t *ret_id)
{
    size_t length;
    const char *event = split(name, &length);

    for (size_t i = 0; i < N_ROOTS && event != NULL; i++) {
        char path[512];
        long id;

        if (snprintf(path, sizeof path, "%s/%.*s/%s/id", roots[i], (int)length,
                     name, event) >= (int)sizeof path)
            continue;
        id = hpm_procfile_number(path, -1);
        if (id >= 0) {
            *ret_id = (uint64_t)id;
            return true;
        }
    }
    return false;
}

bool
hpm_tracepoint_explain(const char *name, struct hpm_error *err)
{
    size_t length;

    /* names with capital letters are events of processors */
    if (split(name, &length) == NULL || strpbrk(name, capitals) != NULL)
        return false;
    if (access(roots[0], X_OK) == 0 || access(roots[1], X_OK) == 0)
        return false; /* tracefs can be read: there is no such tracepoint */
    if (errno == EACCES)
        hpm_error_set(err, "only root may read tracefs, which numbers "
                           "tracepoints; as root: mount -o remount,mode=755 "
                           "/sys/kernel/tracing");
    else
        hpm_error_set(err, "no tracefs, which numbers tracepoints; as root: "
                           "mount -t tracefs tracefs /sys/kernel/tracing");
    return true;
}
