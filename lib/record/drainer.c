/* SPDX-License-Identifier: BSD-3-Clause
 * The drainer: a thread of the library that takes samples out of rings. */
#include "record/drainer.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "source/tasks.h"

/* A ring of an ordinary size has room for 2,700 samples, the smallest for
 * 340. */
enum {
    STACK = 64 << 10,
    SAMPLES_BETWEEN = 150,
    SHORTEST_NS = 5000000,
    LONGEST_NS = 50000000
};

static struct {
    pthread_mutex_t lock;        /* of `threads`, and of the drainer's start and
                                  * end */
    struct hpm_threads *threads; /* NULL: nothing to do */
    atomic_int pid; /* of the process in which the drainer runs, asleep or not;
                     * 0: it does not run */
    atomic_bool is_there; /* it runs, and is left out of the program's
                           * threads */
    atomic_long ns;       /* between two rounds */
} drainer = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The shortest time in which a thread can collect SAMPLES_BETWEEN samples.
 * This is known for clocks: their rate is fixed. */
static long
find_interval(const struct hpm_sampling *sampling)
{
    uint64_t ns = LONGEST_NS;

    for (size_t i = 0; i < sampling->n_events; i++) {
        const struct hpm_sampled *sampled = &sampling->events[i];
        uint64_t own = LONGEST_NS / 2; /* for other counters, whose rate is
                                        * unknown */

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

/* Collect samples; false when no run needs the drainer any more, and it ends.
 * Until then a new run in the process hands its threads to this drainer, so
 * that there are never two. */
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

/* The drainer ends also when all threads of the program have ended, so that the
 * process can end. */
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

/* A drainer of an earlier run that is still asleep works for the new run.  One
 * that has work keeps it: the caller is then a calibration, and no run. */
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

/* A forked child has the locks in their state at the fork, and no drainer. */
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
