/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of this process, and whether all have ended. */
#include "source/tasks.c"

#include <sys/wait.h>

#include "tap.h"

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

/* A sanitizer of threads has one of its own, which comes when it likes. */
#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
enum { HAS_STRANGER = true };
#else
enum { HAS_STRANGER = false };
#endif

static struct {
    size_t n;
    pid_t first;
    int n_opened, n_undone;
    int n_to_make; /* threads that the next attempts make */
} seen;

static pthread_barrier_t end;

static void *
wait_for_end(void *unused)
{
    pthread_barrier_wait(&end);
    return unused;
}

static pthread_t made[16];
static unsigned n_made;

static void
make_thread(void)
{
    if (pthread_create(&made[n_made], NULL, wait_for_end, NULL) == 0)
        n_made++;
}

static void
open_all(const pid_t *ids, size_t n, void *context)
{
    ok(context == &seen, "the work's own context");
    seen.n = n;
    seen.first = ids[0];
    seen.n_opened++;
    if (seen.n_to_make > 0) {
        seen.n_to_make--;
        make_thread();
    }
}

static void
undo(void *context)
{
    ok(context == &seen, "the work's own context");
    seen.n_undone++;
}

static const struct hpm_tasks_work work = {open_all, undo, &seen};

static size_t n_at_begin;

static size_t
count_threads(void)
{
    static pid_t ids[HPM_TASKS_MAX];

    return list_threads(ids);
}

static void
end_threads(unsigned n)
{
    pthread_barrier_wait(&end);
    for (unsigned i = 0; i < n; i++)
        pthread_join(made[i], NULL);
    while (count_threads() > n_at_begin) /* the kernel needs a moment */
        usleep(1000);
    pthread_barrier_destroy(&end);
    n_made = 0;
}

static void
test_open(void)
{
    seen.n_opened = seen.n_undone = 0;
    pthread_barrier_init(&end, NULL, 4);
    ok(hpm_tasks_open(&work) == HPM_TASKS_COMPLETE, "one thread");
    ok(seen.n == n_at_begin && seen.first == getpid() && seen.n_opened == 1 &&
           seen.n_undone == 0,
       "is opened once");
    make_thread();
    seen.n_to_make = 2;
    seen.n_opened = 0;
    ok(hpm_tasks_open(&work) == HPM_TASKS_COMPLETE,
       "threads that are made meanwhile");
    ok(seen.n == n_at_begin + 3 && seen.n_opened == 3 && seen.n_undone == 2,
       "are opened at the next attempt, the last one being undone");
    end_threads(3);
}

static void
test_restless(void)
{
    seen.n_opened = seen.n_undone = 0;
    pthread_barrier_init(&end, NULL, 1 + MAX_ATTEMPTS);
    seen.n_to_make = MAX_ATTEMPTS;
    ok(hpm_tasks_open(&work) == HPM_TASKS_RESTLESS,
       "a program that makes threads without end");
    ok(seen.n_opened == MAX_ATTEMPTS && seen.n_undone == MAX_ATTEMPTS - 1 &&
           seen.n == n_at_begin + MAX_ATTEMPTS - 1,
       "keeps the last attempt");
    end_threads(MAX_ATTEMPTS);
}

/* A thread that says its number, and stays. */
static atomic_int own_id;

static void *
be_own(void *unused)
{
    atomic_store(&own_id, gettid());
    return wait_for_end(unused);
}

static void
test_left_out(void)
{
    pthread_barrier_init(&end, NULL, 2);
    if (pthread_create(&made[0], NULL, be_own, NULL) != 0)
        abort();
    while (atomic_load(&own_id) == 0)
        sched_yield();
    hpm_tasks_leave_out(HPM_TASKS_DRAINER, own_id);
    ok(hpm_tasks_open(&work) == HPM_TASKS_COMPLETE && seen.n == n_at_begin,
       "a thread of ours is not opened");
    hpm_tasks_leave_out(HPM_TASKS_DRAINER, 0);
    hpm_tasks_open(&work);
    is_count(seen.n, n_at_begin + 1, "one that is no longer ours is");
    end_threads(1);
    ok(!hpm_tasks_have_ended(), "the main thread has not ended");
}

/* In a child whose main thread ends: it exits with 0 when all is well. */
static pthread_t other;
static atomic_bool may_end;

static void *
be_other(void *unused)
{
    while (!atomic_load(&may_end))
        usleep(1000);
    return unused;
}

static void *
look_at_end(void *unused)
{
    (void)unused;
    while (!is_main_thread_zombie())
        usleep(1000);
    if (hpm_tasks_have_ended())
        _exit(1);
    atomic_store(&may_end, true);
    pthread_join(other, NULL);
    if (hpm_tasks_have_ended()) /* this thread has not, and is not ours */
        _exit(2);
    hpm_tasks_leave_out(HPM_TASKS_SLICER, gettid());
    while (!hpm_tasks_have_ended())
        usleep(1000);
    _exit(0);
}

static void
test_ended(void)
{
    pid_t child = fork();
    int status = 1;

    if (child == 0) {
        pthread_t own;

        alarm(300);
        if (pthread_create(&other, NULL, be_other, NULL) != 0 ||
            pthread_create(&own, NULL, look_at_end, NULL) != 0)
            _exit(3);
        pthread_exit(NULL);
    }
    waitpid(child, &status, 0);
    is_count((uint64_t)status, 0,
             "a process with a thread of ours alone has ended, no other one");
}

static atomic_bool has_run, has_signals;

static void *
run_own(void *context)
{
    sigset_t blocked;

    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    atomic_store(&has_signals,
                 sigismember(&blocked, SIGTERM) == 0 || context != NULL);
    atomic_store(&has_run, true);
    return NULL;
}

static void
test_start(void)
{
    sigset_t blocked;

    ok(hpm_tasks_start_own(run_own, 1 << 18), "a thread of ours is started");
    while (!atomic_load(&has_run))
        sched_yield();
    ok(!atomic_load(&has_signals), "it takes no signals of the program's");
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    ok(sigismember(&blocked, SIGTERM) == 0, "the program still does");
}

int
main(void)
{
    if (HAS_STRANGER) {
        skip("the threads of this process", "a sanitizer has one of its own");
        return done();
    }
    n_at_begin = count_threads();
    test_ended(); /* before other threads are made */
    test_open();
    test_restless();
    test_left_out();
    test_start();
    return done();
}
