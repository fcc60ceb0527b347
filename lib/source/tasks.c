/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of this process, and opening something for each of them. */
#include "source/tasks.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

/* A program that makes threads without pause must get on, too. */
enum { MAX_ATTEMPTS = 10 };

/* The kernel ids of the threads, in the order the kernel keeps them; 0 when
 * /proc does not tell. */
static size_t
list_threads(pid_t *ret_ids)
{
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;
    size_t n = 0;

    if (folder == NULL)
        return 0;
    while ((entry = readdir(folder)) != NULL && n < HPM_TASKS_MAX) {
        if (entry->d_name[0] != '.')
            ret_ids[n++] = (pid_t)atoi(entry->d_name);
    }
    closedir(folder);
    return n;
}

static bool
contains(const pid_t *ids, size_t n, pid_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (ids[i] == id)
            return true;
    }
    return false;
}

/* Is there a thread now that was not in the list? */
static bool
has_new_thread(const pid_t *before, size_t n_before, pid_t *room)
{
    size_t n_after = list_threads(room);

    for (size_t i = 0; i < n_after; i++) {
        if (!contains(before, n_before, room[i]))
            return true;
    }
    return false;
}

enum hpm_tasks_end
hpm_tasks_open(const struct hpm_tasks_work *work)
{
    pid_t *before = hpm_memory_new(2 * HPM_TASKS_MAX, sizeof *before);
    bool is_complete = false;

    if (before == NULL)
        return HPM_TASKS_NO_MEMORY;
    for (int attempt = 0; attempt < MAX_ATTEMPTS && !is_complete; attempt++) {
        size_t n = list_threads(before);

        if (n == 0)
            before[n++] = getpid();
        if (attempt > 0)
            work->undo(work->context);
        work->open(before, n, work->context);
        is_complete = !has_new_thread(before, n, before + HPM_TASKS_MAX);
    }
    hpm_memory_free(before);
    return is_complete ? HPM_TASKS_COMPLETE : HPM_TASKS_RESTLESS;
}
