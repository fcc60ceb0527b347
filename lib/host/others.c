/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the other threads of this process have slept for a while. */
#include "host/others.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/folder.h"

/* The kernel's clock of a thread's processor time. pthread_getcpuclockid
 * returns the same clock, but needs the thread's pthread_t. */
static clockid_t
clock_of(pid_t tid)
{
    enum { PER_THREAD = 4, SCHEDULED = 2, SHIFT = 3 };

    return (clockid_t)((~(unsigned)tid << SHIFT) | PER_THREAD | SCHEDULED);
}

static bool
find_time(pid_t tid, uint64_t *ret_ns)
{
    struct timespec used;

    if (clock_gettime(clock_of(tid), &used) != 0)
        return false;
    *ret_ns = (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
    return true;
}

void
hpm_others_look(struct hpm_others *ret_others)
{
    pid_t self = (pid_t)syscall(SYS_gettid);
    struct hpm_folder folder;
    const char *name;

    ret_others->n = 0;
    ret_others->is_known = hpm_folder_open(&folder, "/proc/self/task");
    if (!ret_others->is_known)
        return;
    while (ret_others->is_known && (name = hpm_folder_next(&folder)) != NULL) {
        struct hpm_other *other = &ret_others->threads[ret_others->n];

        if (atoi(name) == self)
            continue;
        if (ret_others->n == HPM_MOST_OTHERS) {
            ret_others->is_known = false;
            break;
        }
        other->tid = (pid_t)atoi(name);
        ret_others->is_known = find_time(other->tid, &other->ns);
        ret_others->n++;
    }
    hpm_folder_close(&folder);
}

bool
hpm_others_find_time(const struct hpm_others *others, uint64_t *ret_ns)
{
    uint64_t ns;

    *ret_ns = 0;
    for (unsigned i = 0; others->is_known && i < others->n; i++) {
        if (!find_time(others->threads[i].tid, &ns))
            return false;
        *ret_ns += ns - others->threads[i].ns;
    }
    return others->is_known;
}

bool
hpm_others_slept(const struct hpm_others *others)
{
    uint64_t ns;

    return hpm_others_find_time(others, &ns) && ns == 0;
}
