/* SPDX-License-Identifier: BSD-3-Clause
 * Probes that a run of hpmcount has defined for itself. */
#include "study/probe/runprobes.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/probe/probelist.h"

/* 0 where the kernel has none: then all are the same. */
static unsigned long
own_namespace(void)
{
    struct stat status;

    return stat("/proc/self/ns/pid", &status) == 0
               ? (unsigned long)status.st_ino
               : 0;
}

void
hpm_runprobes_group(char ret_group[HPM_RUNPROBES_NAME])
{
    snprintf(ret_group, HPM_RUNPROBES_NAME, "hpmcount_%ld_%lu", (long)getpid(),
             own_namespace());
}

enum hpm_runprobes_state
hpm_runprobes_state(const char *group, long *ret_pid)
{
    unsigned long space = 0;

    if (sscanf(group, "hpmcount_%ld_%lu", ret_pid, &space) != 2 ||
        *ret_pid <= 0)
        return HPM_RUNPROBES_NONE;
    if (space != own_namespace())
        return HPM_RUNPROBES_ELSEWHERE;
    return kill((pid_t)*ret_pid, 0) == 0 || errno != ESRCH
               ? HPM_RUNPROBES_RUNNING
               : HPM_RUNPROBES_LEFT;
}

size_t
hpm_runprobes_remove_left(int descriptor)
{
    struct hpm_probelist list = {.lines = NULL};
    const char *last = "";
    size_t n = 0;
    long pid;

    if (hpm_probelist_read(&list)) {
        for (size_t i = 0; i < list.n; i++) {
            const char *group = list.lines[i].group;

            if (strcmp(group, last) == 0 ||
                hpm_runprobes_state(group, &pid) != HPM_RUNPROBES_LEFT)
                continue;
            last = group;
            /* either may be gone, or never have been there */
            if (hpm_probelist_remove(descriptor, group, "entry") +
                    hpm_probelist_remove(descriptor, group, "back") >
                0)
                n++;
        }
    }
    hpm_probelist_clear(&list);
    return n;
}
