/* SPDX-License-Identifier: BSD-3-Clause
 * The drainer: a thread of our own that takes samples out of rings. */
#include "record/drainer.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "source/tasks.h"

/* A ring of an ordinary size has room for 2,700 samples, the smallest for 340. */
enum {
    STACK = 64 << 10,
    SAMPLES_BETWEEN = 150,
    SHORTEST_NS = 5000000,
    LONGEST_NS = 50000000
};

static struct {
    pthread_mutex_t lock;        /* of `threads`, and of its coming and going */
    struct hpm_threads *threads; /* NULL: there is nothing to do */
    atomic_int pid; /* of the process that it runs in, asleep or not; 0: it
                             does not */
    atomic_bool is_there; /* and known as none of the program's threads */
    atomic_long ns;       /* between two rounds */
} drainer = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* How long a thread can take to have so many samples, where that is known: clocks
 * go on by themselves. */
static long
find_interval(const struct hpm_sampling *sampling)
{
    uint64_t ns = LONGEST_NS;

    for (size_t i = 0; i < sampling->n_events; i++) {
        const struct hpm_sampled *sampled = &sampling->events[i];
        uint64_t own = LONGEST_NS / 2; /* of a counter nobody knows */

        if (sampled->event.encoding.type == PERF_TYPE_SOFTWARE &&
            (sampled->event.encoding.config == PERF_COUNT_SW_CPU_CLOCK ||
             sampled->event.encoding.config == PERF_COUNT_SW_TASK_CLOCK))
            own = sampled->period * SAMPLES_BETWEEN;
        if (own < ns)
            ns = own;
    }
    return ns > SHORTEST_NS ? (long)ns : SHORTEST_NS;
}

static void
leave(void)
{
    hpm_tasks_leave_out(HPM_TASKS_DRAINER, 0);
    atomic_store(&drainer.pid, 0);
}

/* False when there is nothing to do any more: then it ends.  Until then it takes what
 * a new run of the process gives it, so that there are never two. */
static bool
drain(void)
{
    bool is_needed;

    pthread_mutex_lock(&drainer.lock);
    is_needed = drainer.threads != NULL;
    if (is_needed)
        hpm_threads_collect_samples(drainer.threads);
    else
        leave();
    pthread_mutex_unlock(&drainer.lock);
    return is_needed;
}

/* When all threads of the program have ended, it ends, too: the last thread ends
 * the process. */
static void *
run(void *context)
{
    prctl(PR_SET_NAME, "hpm-drainer");
    hpm_tasks_leave_out(HPM_TASKS_DRAINER, gettid());
    atomic_store(&drainer.is_there, true);
    do
        nanosleep(&(struct timespec){0, atomic_load(&drainer.ns)}, NULL);
    while (drain() && !hpm_tasks_have_ended());
    return context;
}

/* One of an earlier run that is still asleep goes on for this one; one that has work
 * keeps it, for to calibrate is no run. */
static bool
is_taken_by_last(struct hpm_threads *threads,
                 const struct hpm_sampling *sampling)
{
    bool is_taken;

    pthread_mutex_lock(&drainer.lock);
    is_taken = atomic_load(&drainer.pid) == getpid();
    if (is_taken && drainer.threads == NULL) {
        drainer.threads = threads;
        atomic_store(&drainer.ns, find_interval(sampling));
    }
    pthread_mutex_unlock(&drainer.lock);
    return is_taken;
}

/* A forked child has the locks as they were at the fork, and no drainer. */
bool
hpm_drainer_start(struct hpm_threads *threads,
                  const struct hpm_sampling *sampling, struct hpm_error *err)
{
    if (atomic_load(&drainer.pid) == getpid() &&
        is_taken_by_last(threads, sampling))
        return true;
    pthread_mutex_init(&drainer.lock, NULL);
    drainer.threads = threads;
    atomic_store(&drainer.ns, find_interval(sampling));
    atomic_store(&drainer.is_there, false);
    atomic_store(&drainer.pid, getpid());
    if (hpm_tasks_start_own(run, STACK)) {
        while (!atomic_load(&drainer.is_there))
            sched_yield();
        return true;
    }
    atomic_store(&drainer.pid, 0);
    return hpm_error_set(err, "the thread that takes samples out of full rings "
                              "cannot be made (pthread_create); samples of "
                              "long sections may be lost");
}

void
hpm_drainer_end(const struct hpm_threads *threads)
{
    if (atomic_load(&drainer.pid) != getpid() || drainer.threads != threads)
        return;
    pthread_mutex_lock(&drainer.lock);
    drainer.threads = NULL;
    pthread_mutex_unlock(&drainer.lock);
}
