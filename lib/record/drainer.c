/* SPDX-License-Identifier: BSD-3-Clause
 * The drainer: a thread of the library that takes samples out of rings. */
#include "record/drainer.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "source/tasks.h"

/* A ring of an ordinary size has room for 2,700 samples, the smallest for
 * 340.  A counter is taken to count 8 in a nanosecond, as instructions of a processor of
 * 4 GHz do, two in a cycle; where rings fill sooner, for more (choose_rest). */
enum {
    STACK = 64 << 10,
    SAMPLES_BETWEEN = 150,
    SHORTEST_NS = 5000000,
    LONGEST_NS = 50000000,
    CALM_NS = 250000000,
    COUNTS_IN_NS = 8,
    SHORT_ROUNDS = 40
};

static struct {
    pthread_mutex_t lock;        /* of `threads`, and of the drainer's start and
                                  * end */
    struct hpm_threads *threads; /* NULL: nothing to do */
    atomic_int pid; /* of the process in which the drainer runs, asleep or not;
                     * 0: it does not run */
    atomic_bool is_there; /* it runs, and is left out of the program's
                           * threads */
    atomic_long ns;     /* between two rounds, at first and where rings fill */
    atomic_long gap_ns; /* least time between two samples of a thread */
    atomic_int is_calm; /* 1: it sleeps for longer, until it is woken */
    long calm_ns;       /* how long then; its own */
    bool was_calm;      /* it has slept so long, and was not woken; its own */
    int n_short;        /* so many short rounds come first; its own */
} drainer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool
is_clock(const struct hpm_event *event)
{
    return event->encoding.type == PERF_TYPE_SOFTWARE &&
           (event->encoding.config == PERF_COUNT_SW_CPU_CLOCK ||
            event->encoding.config == PERF_COUNT_SW_TASK_CLOCK);
}

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

        if (is_clock(&sampled->event))
            own = sampled->period * SAMPLES_BETWEEN;
        if (own < ns)
            ns = own;
    }
    return ns > SHORTEST_NS ? (long)ns : SHORTEST_NS;
}

/* All events may come at once. */
static long
find_gap(const struct hpm_sampling *sampling)
{
    uint64_t least = CALM_NS;

    for (size_t i = 0; i < sampling->n_events; i++) {
        const struct hpm_sampled *sampled = &sampling->events[i];
        uint64_t own = is_clock(&sampled->event)
                           ? sampled->period
                           : sampled->period / COUNTS_IN_NS;

        if (own < least)
            least = own;
    }
    return (long)(least / (sampling->n_events + !sampling->n_events));
}

static __attribute__((cold)) void
set_times(const struct hpm_sampling *sampling)
{
    atomic_store(&drainer.ns, find_interval(sampling));
    atomic_store(&drainer.gap_ns, find_gap(sampling));
    atomic_store(&drainer.is_calm, 0);
}

/* Each round takes some 20,000 instructions, most of them the kernel's.  So while all
 * rings have much room, the next round is when the quickest thread can have filled half
 * of the smallest one.  Not soon after code was mapped: other code may come to the same
 * addresses, and which of the two another thread's samples are of is known from round
 * to round only. */
static void
choose_rest(size_t room)
{
    long gap_ns = atomic_load(&drainer.gap_ns);

    /* the counter is quicker than it was taken for */
    if (room == 0 && drainer.was_calm)
        atomic_compare_exchange_strong(&drainer.gap_ns, &gap_ns, gap_ns / 2);
    drainer.calm_ns = gap_ns > 0 && room >= (size_t)(CALM_NS / gap_ns)
                          ? CALM_NS
                          : (long)room * gap_ns;
    if (room == 0)
        drainer.n_short = SHORT_ROUNDS;
    else
        drainer.n_short -= drainer.n_short > 0;
    atomic_store(&drainer.is_calm,
                 drainer.n_short == 0 &&
                     drainer.calm_ns > atomic_load(&drainer.ns));
}

/* A new thread, or one that ends, makes an end of a long sleep: then rounds are short
 * ones, until the first samples are placed, or the process can end. */
static void
rest(void)
{
    struct timespec calm = {0, drainer.calm_ns};

    drainer.was_calm = atomic_load(&drainer.is_calm) &&
                       syscall(SYS_futex, &drainer.is_calm, FUTEX_WAIT_PRIVATE,
                               1, &calm, NULL, 0) != 0 &&
                       errno == ETIMEDOUT;
    if (drainer.was_calm)
        return;
    nanosleep(&(struct timespec){0, atomic_load(&drainer.ns)}, NULL);
}

__attribute__((cold)) void
hpm_drainer_wake(void)
{
    int saved_errno = errno;

    if (atomic_exchange(&drainer.is_calm, 0))
        syscall(SYS_futex, &drainer.is_calm, FUTEX_WAKE_PRIVATE, 1, NULL, NULL,
                0);
    errno = saved_errno;
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
        choose_rest(hpm_threads_collect_samples(drainer.threads));
    else
        leave();
    pthread_mutex_unlock(&drainer.lock);
    return is_needed;
}

/* The drainer ends also when all threads of the program have ended, so that the
 * process can end. */
static __attribute__((cold)) void *
run(void *context)
{
    prctl(PR_SET_NAME, "hpm-drainer");
    hpm_tasks_leave_out(HPM_TASKS_DRAINER, gettid());
    atomic_store(&drainer.is_there, true);
    do
        rest();
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
        set_times(sampling);
    }
    pthread_mutex_unlock(&drainer.lock);
    return is_taken;
}

/* A forked child has the locks in their state at the fork, and no drainer. */
__attribute__((cold)) bool
hpm_drainer_start(struct hpm_threads *threads,
                  const struct hpm_sampling *sampling, struct hpm_error *err)
{
    if (atomic_load(&drainer.pid) == getpid() &&
        is_taken_by_last(threads, sampling)) {
        hpm_drainer_wake();
        return true;
    }
    pthread_mutex_init(&drainer.lock, NULL);
    drainer.threads = threads;
    set_times(sampling);
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

__attribute__((cold)) void
hpm_drainer_end(const struct hpm_threads *threads)
{
    if (atomic_load(&drainer.pid) != getpid() || drainer.threads != threads)
        return;
    pthread_mutex_lock(&drainer.lock);
    drainer.threads = NULL;
    pthread_mutex_unlock(&drainer.lock);
    hpm_drainer_wake();
}
