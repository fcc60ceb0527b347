/* SPDX-License-Identifier: BSD-3-Clause
 * Lists the threads of this process, and opens something for each. */
#ifndef HPM_SOURCE_TASKS_H
#define HPM_SOURCE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { HPM_TASKS_MAX = 4096 }; /* more threads are left out */

enum hpm_tasks_end {
    HPM_TASKS_COMPLETE,  /* no thread was made during the last attempt */
    HPM_TASKS_RESTLESS,  /* a thread was made during each; the last attempt is
                          * kept */
    HPM_TASKS_UNKNOWN,   /* /proc cannot be read, so there may be more threads
                          * than the main and the calling one, for which it is
                          * open */
    HPM_TASKS_NO_MEMORY, /* nothing was attempted */
};

/* What to open for each thread; threads that it makes inherit it. */
struct hpm_tasks_work {
    void (*open)(const pid_t *ids, size_t n, void *context); /* kernel ids */
    void (*undo)(void *context); /* undo the attempt */
    void *context;
};

/* The library's own threads. */
enum hpm_tasks_own { HPM_TASKS_SLICER, HPM_TASKS_DRAINER, HPM_TASKS_N_OWN };

/* From now on leave this thread of ours out of the list; id 0: it has ended.  A
 * forked child has no threads of its parent's. */
void hpm_tasks_leave_out(enum hpm_tasks_own own, pid_t id);

/* Start a thread of our own, detached and with all signals blocked, with a
 * stack of that many bytes; false on failure. */
bool hpm_tasks_start_own(void *(*run)(void *context), size_t stack);

/* Have all other threads ended?  Then the main thread is left as a zombie in
 * the process. */
bool hpm_tasks_have_ended(void);

/* Open for all present threads.  A thread made meanwhile has inherited only a
 * part: undo all and open again, until no thread was made meanwhile. */
enum hpm_tasks_end hpm_tasks_open(const struct hpm_tasks_work *work);

#endif
