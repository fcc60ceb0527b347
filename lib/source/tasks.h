/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of this process, and opening something for each of them. */
#ifndef HPM_SOURCE_TASKS_H
#define HPM_SOURCE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { HPM_TASKS_MAX = 4096 }; /* further threads are left out */

enum hpm_tasks_end {
    HPM_TASKS_COMPLETE,  /* no thread was made during the last attempt */
    HPM_TASKS_RESTLESS,  /* there was one in each: the last attempt stands */
    HPM_TASKS_UNKNOWN,   /* there may be more, but no /proc to list them: only
                            for the main thread and the calling one */
    HPM_TASKS_NO_MEMORY, /* nothing was attempted */
};

/* What is opened thread by thread, to be inherited by what they start. */
struct hpm_tasks_work {
    void (*open)(const pid_t *ids, size_t n, void *context); /* kernel ids */
    void (*undo)(void *context); /* as before the attempt */
    void *context;
};

/* Threads of our own. */
enum hpm_tasks_own { HPM_TASKS_SLICER, HPM_TASKS_DRAINER, HPM_TASKS_N_OWN };

/* From now on a thread of our own is none of them; 0: it is not there any more.  A
 * forked child has only threads of its own. */
void hpm_tasks_leave_out(enum hpm_tasks_own own, pid_t id);

/* Start one, detached and without signals, with so many bytes of stack; false where
 * that cannot be done. */
bool hpm_tasks_start_own(void *(*run)(void *context), size_t stack);

/* Have all others ended?  What is left of the main thread then is known in the
 * process as a zombie. */
bool hpm_tasks_have_ended(void);

/* Open for the threads there are.  One made meanwhile has inherited some of it
 * and not the rest: undo and open again, until none was made. */
enum hpm_tasks_end hpm_tasks_open(const struct hpm_tasks_work *work);

#endif
