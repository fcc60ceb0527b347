/* SPDX-License-Identifier: BSD-3-Clause
 * Lists the threads of this process, and opens something for each. */
#include "source/tasks.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>) /* glibc 2.32 */
#include <sys/single_threaded.h>
#define HAS_SINGLE_THREADED 1
#endif
#endif

#include "host/folder.h"
#include "host/memory.h"
#include "source/machine/procfile.h"

/* A limit, so that a program that makes threads without pause can go on. */
enum { MAX_ATTEMPTS = 10 };

/* The library's own threads, in this process. */
static struct {
    atomic_int process, id;
} left_out[HPM_TASKS_N_OWN];

void
hpm_tasks_leave_out(enum hpm_tasks_own own, pid_t id)
{
    atomic_store(&left_out[own].id, id);
    atomic_store(&left_out[own].process, getpid());
}

static bool
is_there(enum hpm_tasks_own own)
{
    return atomic_load(&left_out[own].id) != 0 &&
           atomic_load(&left_out[own].process) == getpid();
}

static bool
is_left_out(pid_t id)
{
    for (int own = 0; own < HPM_TASKS_N_OWN; own++) {
        if (is_there((enum hpm_tasks_own)own) &&
            id == atomic_load(&left_out[own].id))
            return true;
    }
    return false;
}

bool
hpm_tasks_start_own(void *(*run)(void *context), size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    bool is_started;

    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_started = pthread_create(&thread, &attributes, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return is_started;
}

/* The kernel ids of the threads, in the kernel's order; 0 if /proc cannot be
 * read. */
static size_t
list_threads(pid_t *ret_ids)
{
    struct hpm_folder folder;
    const char *id;
    size_t n = 0;

    if (!hpm_folder_open(&folder, "/proc/self/task"))
        return 0;
    while (n < HPM_TASKS_MAX && (id = hpm_folder_next(&folder)) != NULL) {
        ret_ids[n] = (pid_t)atoi(id);
        n += !is_left_out(ret_ids[n]);
    }
    hpm_folder_close(&folder);
    return n;
}

/* The state is the first letter after the name, which is in brackets.  The drainer
 * asks some times a second: a process whose main thread lives has a program, and
 * reading that link takes a tenth of the instructions. */
static bool
is_main_thread_zombie(void)
{
    char text[256];
    const char *end = NULL;

    if (readlink("/proc/self/exe", text, sizeof text) > 0)
        return false;
    if (hpm_procfile_read("/proc/self/stat", text, sizeof text) > 0)
        end = strrchr(text, ')');
    return end != NULL && strncmp(end, ") Z", 3) == 0;
}

bool
hpm_tasks_have_ended(void)
{
    struct hpm_folder folder;
    size_t n = 0;

    if (!is_main_thread_zombie() ||
        !hpm_folder_open(&folder, "/proc/self/task"))
        return false;
    while (hpm_folder_next(&folder) != NULL)
        n++;
    hpm_folder_close(&folder);
    for (int own = 0; own < HPM_TASKS_N_OWN; own++)
        n -= is_there((enum hpm_tasks_own)own);
    return n <= 1;
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

static bool
is_single_threaded(void)
{
#if HAS_SINGLE_THREADED
    return __libc_single_threaded;
#else
    return false;
#endif
}

static size_t
guess_threads(pid_t *ret_ids)
{
    size_t n = 0;

    ret_ids[n++] = getpid();
    if (gettid() != getpid())
        ret_ids[n++] = gettid();
    return n;
}

enum hpm_tasks_end
hpm_tasks_open(const struct hpm_tasks_work *work)
{
    pid_t *before = hpm_memory_new(2 * HPM_TASKS_MAX, sizeof *before);
    bool is_complete = false, is_known = true;

    if (before == NULL)
        return HPM_TASKS_NO_MEMORY;
    for (int attempt = 0; attempt < MAX_ATTEMPTS && !is_complete; attempt++) {
        size_t n = list_threads(before);

        is_known = n > 0;
        if (n == 0)
            n = guess_threads(before);
        if (attempt > 0)
            work->undo(work->context);
        work->open(before, n, work->context);
        is_complete = !has_new_thread(before, n, before + HPM_TASKS_MAX);
    }
    hpm_memory_free(before);
    if (!is_known && !is_single_threaded())
        return HPM_TASKS_UNKNOWN;
    return is_complete ? HPM_TASKS_COMPLETE : HPM_TASKS_RESTLESS;
}
