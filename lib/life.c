/* SPDX-License-Identifier: BSD-3-Clause
 * The library's life in a process. */
#include "life.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/message.h"
#include "host/calm.h"
#include "host/interposer.h"
#include "host/literal.h"
#include "host/memory.h"
#include "host/ownusage.h"
#include "host/stack.h"
#include "libhpm.h"
#include "record/checkpoint.h"
#include "record/reservoir.h"
#include "record/run.h"
#include "session/handover.h"
#include "session/lives.h"
#include "session/owncosts.h"
#include "session/results.h"
#include "session/settings.h"

/* Counters of threads that wait for the lock to be registered, newest first. */
typedef _Atomic(struct hpm_meter *) opened_meter;

enum stage { BEFORE, RUNNING, ENDED };

enum { STACK_FOR_INIT = 24 << 10 };

static struct {
    pthread_mutex_t lock; /* of init and end */
    opened_meter opened;
    atomic_int stage;
    struct hpm_settings settings;
    struct hpm_recorder *inherited; /* in a forked child: the parent's
                                     * recorder */
    pthread_key_t thread_key;       /* its destructor sees threads end */
    bool has_thread_key;
    bool said_init_again;
    bool said_small_stack;
    bool said_lost;
    pid_t process;          /* the one that measures */
    const char *ends_first; /* what may end before libhpm, so that the end comes
                             * before all destructors; else NULL */
} life = {.lock = PTHREAD_MUTEX_INITIALIZER};

int hpm_error_count;

struct hpm_recorder *_Atomic hpm_life_recorder;

/* The calling thread is in init, registration or the end, which take locks and
 * memory: a signal handler must not come back here. */
static __thread volatile bool is_inside;

/* The calling thread forks, and holds life.lock. */
static __thread bool has_lock_at_fork;
static __thread bool holds_turns_at_fork;

/* The calling thread runs the rest of the program's exit after an early end. */
static __thread bool is_past_end;

/* The lock, list and recorder that a thread uses to enter and leave.  The
 * program's threads use one door; threads that only measure this cost
 * (session/lives.h) use others, through the same pointers, so that the cost is
 * the same. */
struct door {
    pthread_mutex_t *lock;
    opened_meter *opened;
    struct hpm_recorder *_Atomic *recorder;
};

static struct door door_of_program = {&life.lock, &life.opened,
                                      &hpm_life_recorder};

static __thread struct door *door = &door_of_program;

static void end_early(void);
static void end_before(const char *what);

static struct hpm_recorder *
own_recorder(void)
{
    return *door->recorder;
}

/* ---- init ------------------------------------------------------------ */

/* Destructors of the program's own data per thread may measure, too, and run
 * before and after this one: leave in the second round of destructors. */
static void
leave_thread(void *data)
{
    struct hpm_recorder *recorder = own_recorder();
    struct hpm_thread *thread = data;

    if (!thread->is_leaving &&
        pthread_setspecific(life.thread_key, thread) == 0) {
        thread->is_leaving = true;
        return;
    }
    hpm_thread_be(NULL);
    hpm_ownusage_begin();
    if (recorder != NULL)
        hpm_recorder_leave(recorder, thread);
    hpm_ownusage_end();
}

static bool
start_recorder(void)
{
    struct hpm_error err;

    hpm_life_recorder = hpm_recorder_new(&life.settings.plan, hpm_message_say,
                                         &hpm_error_count, &err);
    if (hpm_life_recorder == NULL)
        hpm_message_say_format("%s; nothing is measured", err.text);
    else
        hpm_results_begin(&life.settings, hpm_life_recorder);
    return hpm_life_recorder != NULL;
}

/* The forking thread is the only thread of the child and can unlock its own
 * lock; initializing a locked lock is undefined.  If another thread holds the
 * lock, no thread is left to unlock it, so it is initialized. */
static void
let_go_in_child(void)
{
    if (has_lock_at_fork)
        pthread_mutex_unlock(&life.lock);
    else
        pthread_mutex_init(&life.lock, NULL);
}

/* A forked child starts from zero, with its own file, and forgets the data of
 * its parent.  The parent's counters are only closed, which does not change
 * them.  The memory is left alone: another thread may have been changing it at
 * the fork. */
static void
after_fork_in_child(void)
{
    struct hpm_recorder *inherited = hpm_life_recorder;

    hpm_memory_forget();
    hpm_reservoirs_forget();
    life.process = getpid();
    let_go_in_child();
    is_inside = false;
    hpm_thread_be(&hpm_thread_not_entered);
    if (life.has_thread_key)
        pthread_setspecific(life.thread_key, NULL);
    if (has_lock_at_fork) {
        hpm_recorder_leave_parent();
    } else { /* a call was interrupted half-way: measure nothing here */
        hpm_life_recorder = NULL;
        atomic_store(&life.stage, ENDED);
    }
    if (inherited == NULL || atomic_load(&life.stage) != RUNNING)
        return;
    for (struct hpm_thread *thread = inherited->threads.list; thread != NULL;
         thread = thread->next) {
        hpm_sampler_leave(thread->samples);
        hpm_meter_stop(thread->meter);
    }
    if (inherited->process.meter != NULL)
        hpm_meter_stop(inherited->process.meter);
    for (struct hpm_meter *meter = atomic_exchange(&life.opened, NULL);
         meter != NULL; meter = meter->next_opened)
        hpm_meter_stop(meter);
    hpm_checkpoint_forget(inherited);
    inherited->inherited = life.inherited;
    life.inherited = inherited;
    hpm_life_recorder = NULL;
}

/* The child's first call makes its own recorder, and names with its id. */
static void
start_in_child(void)
{
    if (!hpm_settings_choose_for_child(&life.settings)) {
        hpm_message_say("out of memory; nothing is measured in a forked child");
        atomic_store(&life.stage, ENDED);
        return;
    }
    if (start_recorder())
        hpm_recorder_inherit_costs(hpm_life_recorder, life.inherited);
}

/* No thread is in init, registration or the end while the process forks: the
 * child then inherits consistent data, and the library holds no lock of the C
 * library.  The wait ends after a second, against a deadlock: a thread in there
 * may wait for a lock that the forking thread holds. */
static void
before_fork(void)
{
    struct timespec end;

    hpm_stack_note_fork();
    has_lock_at_fork = false;
    if (is_inside)
        return;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    has_lock_at_fork = pthread_mutex_timedlock(&life.lock, &end) == 0;
    holds_turns_at_fork = has_lock_at_fork && hpm_recorder_hold_turns();
}

static void
after_fork_in_parent(void)
{
    if (holds_turns_at_fork)
        hpm_recorder_release_turns();
    holds_turns_at_fork = false;
    if (has_lock_at_fork)
        pthread_mutex_unlock(&life.lock);
}

/* A constructor, so that it runs before a fork can meet a lock that is held. */
static void watch_forks(void) __attribute__((constructor));

static void
watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* If an object replaces functions that the library's end calls (faketime's
 * fstat crashes after faketime's own destructor), and its destructors may run
 * before the library's, the end must come before all destructors.  Not in all
 * programs: handlers registered with atexit before the first call, and the
 * program's own destructors, may measure as well. */
static void
watch_interposers(void)
{
    const char *path = hpm_interposer_path();

    if (path != NULL && atexit(end_early) == 0)
        life.ends_first = path;
}

static void
begin_recording(int task, const char *program)
{
    hpm_message_init();
    hpm_clock_init();
    hpm_literal_init();
    if (!hpm_settings_choose(&life.settings, task, program) ||
        (!life.has_thread_key &&
         pthread_key_create(&life.thread_key, leave_thread) != 0)) {
        hpm_message_say("out of memory; nothing is measured");
        return;
    }
    life.has_thread_key = true;
    life.process = getpid();
    if (!start_recorder())
        return;
    watch_interposers();
    hpm_handover_end_before = end_before;
    atomic_store(&life.stage, RUNNING);
}

/* Settings, names of events and libpfm4 need some stack. */
static bool
has_stack_for_init(void)
{
    if (hpm_stack_free() >= STACK_FOR_INIT)
        return true;
    if (!life.said_small_stack) {
        hpm_message_init();
        hpm_message_say_format(
            "calls are ignored until one comes from a thread "
            "with at least %d KB of stack left; call hpmInit "
            "in the main thread",
            STACK_FOR_INIT >> 10);
    }
    life.said_small_stack = true;
    return false;
}

static bool
is_excluded(void)
{
    return getauxval(AT_SECURE) != 0 ||
           hpm_env_is_on(HPM_VARIABLE_DISABLE, false);
}

/* Hold the lock.  False when a later call must do it. */
static bool
init(int task, const char *program)
{
    bool is_on = !is_excluded();

    if (is_on && !has_stack_for_init())
        return false;
    atomic_store(&life.stage, ENDED);
    if (is_on)
        begin_recording(task, program);
    return true;
}

static bool
has_entered(void)
{
    return hpm_thread_self.thread != NULL &&
           hpm_thread_self.thread != &hpm_thread_not_entered;
}

static void
set_busy(bool is_busy)
{
    if (has_entered())
        atomic_store_explicit(&hpm_thread_self.thread->is_busy, is_busy,
                              memory_order_release);
}

static bool
is_in_call(void)
{
    return has_entered() &&
           atomic_load_explicit(&hpm_thread_self.thread->is_busy,
                                memory_order_relaxed);
}

/* Begin to be in init, registration or the end; false for a signal handler that
 * interrupted one of them, or another call, in this thread.  begin_alone also
 * takes the lock and marks the thread's own part as busy.  A thread that waits
 * for the lock is not busy: the end, by another thread, would else wait for the
 * thread and leave its part out. */
static bool
begin_inside(struct hpm_calm *ret_calm)
{
    if (is_inside || is_in_call())
        return false;
    is_inside = true;
    *ret_calm = hpm_calm_begin();
    return true;
}

static void
end_inside(struct hpm_calm calm)
{
    set_busy(false);
    is_inside = false;
    hpm_calm_end(calm);
}

static bool
begin_alone(struct hpm_calm *ret_calm)
{
    if (!begin_inside(ret_calm))
        return false;
    pthread_mutex_lock(&life.lock);
    set_busy(true);
    return true;
}

static void
end_alone(struct hpm_calm calm)
{
    pthread_mutex_unlock(&life.lock);
    end_inside(calm);
}

/* Hold the lock; the thread is registered. */
static void
open_process(struct hpm_thread *thread, const struct hpm_calm *calm)
{
    struct hpm_recorder *recorder = own_recorder();
    struct hpm_process *process = &recorder->process;
    uint64_t begin[HPM_MAX_SLOTS];

    thread->has_process = true;
    if (process->is_opened)
        return;
    process->is_opened = true;
    hpm_thread_begin_own_work(thread, begin);
    hpm_process_open(process);
    if (process->tree == NULL) {
        hpm_thread_end_own_work(thread, begin);
        return;
    }
    hpm_owncosts_find_of_process(recorder, thread, calm);
    recorder->threads.is_counting =
        thread->tree->n_overheads > 1 && !hpm_interposer_has("pthread_create");
    hpm_thread_end_own_work(thread, begin);
    hpm_process_begin_run(process, thread);
    hpm_checkpoint_add_process(recorder);
}

/* ---- threads that come and go ----------------------------------------- */

static void
take_door(void *context)
{
    door = context;
}

/* Runs at a start or stop of a process section, if threads have come or gone
 * since the last one.  The lock is not held: the program's own work in each new
 * thread may need it. */
static void
measure_lives(struct hpm_thread *thread)
{
    struct hpm_recorder *recorder = hpm_life_recorder;
    struct hpm_recorder *_Atomic trial = NULL;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    opened_meter opened = NULL;
    struct door trial_door = {&lock, &opened, &trial};
    struct hpm_lives lives = {NULL, take_door, &trial_door};
    uint64_t begin[HPM_MAX_SLOTS];
    sigset_t all, signals;
    bool is_done;

    hpm_thread_begin_own_work(thread, begin);
    trial = hpm_lives_new_trial(recorder);
    lives.trial = trial;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &signals);
    is_done =
        trial != NULL && hpm_lives_measure(&lives, &recorder->process, thread);
    hpm_threads_end_try(&recorder->threads, is_done, thread->is_closing);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    hpm_recorder_free(trial);
    hpm_thread_end_own_work(thread, begin);
}

/* Register the calling thread.  Hold the lock.  NULL when there is nothing to
 * measure. */
static struct hpm_thread *
register_thread(const struct hpm_calm *calm, struct hpm_meter *meter)
{
    struct hpm_thread *thread = NULL;
    struct hpm_recorder *recorder;

    if (atomic_load(&life.stage) == RUNNING && hpm_life_recorder == NULL)
        start_in_child();
    recorder = own_recorder();
    if (atomic_load(&life.stage) == RUNNING && recorder != NULL)
        thread = hpm_recorder_enter(recorder, meter);
    else
        hpm_meter_close(meter);
    hpm_thread_be(thread);
    if (thread == NULL)
        return NULL;
    set_busy(true);
    pthread_setspecific(life.thread_key, thread);
    hpm_owncosts_find_at_begin(hpm_life_recorder, thread, calm);
    if (recorder->process.is_opened ||
        hpm_env_is_on(HPM_VARIABLE_PROCESS, false)) {
        bool is_first = !recorder->process.is_opened;

        hpm_thread_settle(thread);
        open_process(thread, calm);
        if (is_first) /* a part of that was before the process's run */
            hpm_thread_leave_out(thread);
    }
    hpm_thread_begin_run(thread);
    if (recorder->begin == 0)
        recorder->begin = hpm_clock_read();
    return thread;
}

/* Open the thread's counters before it waits for a lock, so that they count the
 * waiting.  A child forked meanwhile closes them. */
static struct hpm_meter *
open_meter_first(void)
{
    opened_meter *opened = door->opened;
    const struct hpm_recorder *recorder = own_recorder();
    struct hpm_meter *meter = NULL;

    if (atomic_load(&life.stage) == RUNNING && recorder != NULL)
        meter = hpm_recorder_open_meter(recorder);
    if (meter == NULL)
        return NULL;
    meter->next_opened = atomic_load(opened);
    while (!atomic_compare_exchange_weak(opened, &meter->next_opened, meter))
        continue;
    return meter;
}

/* Hold the lock: other threads may add counters meanwhile, but not remove
 * any. */
static void
take_out_opened(opened_meter *opened, struct hpm_meter *meter)
{
    struct hpm_meter *newest = meter;

    if (atomic_compare_exchange_strong(opened, &newest, meter->next_opened))
        return;
    while (newest->next_opened != meter)
        newest = newest->next_opened;
    newest->next_opened = meter->next_opened;
}

void
hpmInit(int task, const char *program)
{
    struct hpm_calm calm;

    if (!begin_alone(&calm))
        return;
    if (atomic_load(&life.stage) == BEFORE) {
        if (init(task, program) &&
            hpm_thread_self.thread == &hpm_thread_not_entered)
            register_thread(&calm, NULL);
    } else if (atomic_load(&life.stage) == RUNNING && !life.said_init_again) {
        life.said_init_again = true;
        hpm_message_say(
            "hpmInit was called again or after the first section; ignored");
    }
    end_alone(calm);
}

/* The calling thread's first call; NULL when there is nothing to measure. */
static struct hpm_thread *
enter(enum hpm_first_call call)
{
    struct hpm_thread *thread = NULL;
    struct hpm_meter *meter;
    struct hpm_calm calm;

    if (!begin_inside(&calm))
        return NULL;
    hpm_ownusage_begin();
    meter = open_meter_first();
    pthread_mutex_lock(door->lock);
    if (meter != NULL)
        take_out_opened(door->opened, meter);
    if (atomic_load(&life.stage) != BEFORE || init(-1, NULL))
        thread = register_thread(&calm, meter);
    pthread_mutex_unlock(door->lock);
    hpm_ownusage_end();
    if (thread != NULL)
        hpm_recorder_end_entering(own_recorder(), thread, call);
    end_inside(calm);
    return thread;
}

/* Called for sections that the program begins after an early end. */
static void
say_too_late(void)
{
    is_past_end = false;
    hpm_error_count++;
    hpm_message_say_format(
        "a section that begins while the program exits is not "
        "in the performance file: that is written already, "
        "because %s may end before libhpm",
        life.ends_first);
}

bool
hpm_life_enter(const struct hpm_thread *refused, enum hpm_first_call call)
{
    bool has_come_in =
        refused == &hpm_thread_not_entered && enter(call) != NULL;

    if (!has_come_in && is_past_end)
        say_too_late();
    return has_come_in;
}

void
hpm_life_enter_process(struct hpm_thread *thread)
{
    struct hpm_calm calm;
    bool is_asked, is_first;

    if (!begin_alone(&calm))
        return;
    is_first = !own_recorder()->process.is_opened;
    if (is_first)
        hpm_ownusage_begin();
    open_process(thread, &calm);
    if (is_first)
        hpm_ownusage_end();
    is_asked = hpm_threads_begin_try(&hpm_life_recorder->threads);
    pthread_mutex_unlock(&life.lock);
    if (is_asked)
        measure_lives(thread);
    end_inside(calm);
}

size_t
hpm_life_n_counters(void)
{
    return life.settings.set.n_thread_events;
}

/* ---- the end --------------------------------------------------------- */

/* End the recording.  Hold the lock; only one thread calls it.  `self` is the
 * calling thread's own part, or NULL. */
static void
end(const struct hpm_calm *calm, struct hpm_thread *self)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_settings *settings = &life.settings;
    struct hpm_error err;
    bool is_good;

    if (experiment == NULL) {
        hpm_results_give_up(hpm_life_recorder, "out of memory");
        return;
    }
    hpm_recorder_end_others(hpm_life_recorder, self);
    if (self != NULL)
        hpm_owncosts_find_at_end(hpm_life_recorder, self, calm);
    is_good =
        hpm_run_describe(&experiment->run, settings->run.program,
                         settings->run.task, &hpm_life_recorder->start_date) &&
        hpm_recorder_harvest(hpm_life_recorder, self, experiment, &err) &&
        hpm_run_describe_machine(&experiment->machine, &settings->set,
                                 hpm_life_recorder->ns_per_tick);
    if (is_good)
        hpm_results_write(settings, hpm_life_recorder, experiment);
    else
        hpm_results_give_up(hpm_life_recorder, "out of memory");
    hpm_experiment_free(experiment);
}

/* A process made by vfork or clone did not run after_fork_in_child.  It may
 * share the library's memory with its parent: only the parent may write results
 * and end. */
static bool
is_another_process(void)
{
    return atomic_load(&life.stage) == RUNNING && getpid() != life.process;
}

/* The thread is in init, registration or the end, or in a call that holds what
 * the end needs: nothing can be written. */
static void
say_lost(void)
{
    if (atomic_load(&life.stage) == RUNNING && !life.said_lost)
        hpm_message_say(
            hpm_life_recorder != NULL && hpm_life_recorder->checkpointer != NULL
                ? "a signal handler ended the program, or left by longjmp, "
                  "inside a call; there is only the journal"
                : "a signal handler ended the program, or left by longjmp, "
                  "inside a call; the measurement is lost");
    life.said_lost = true;
}

/* End the recording, from a thread whose own call was interrupted and never
 * ends.  A handler may still run or may have left by longjmp; either is fine,
 * since the thread's part is not used. */
static bool
end_inside_call(void)
{
    struct hpm_calm calm;
    bool is_good;

    if (is_inside || hpm_life_recorder == NULL)
        return false;
    is_inside = true;
    calm = hpm_calm_begin();
    pthread_mutex_lock(&life.lock);
    is_good = atomic_load(&life.stage) == ENDED ||
              hpm_recorder_strand(hpm_life_recorder, hpm_thread_self.thread);
    if (is_good && atomic_load(&life.stage) == RUNNING)
        end(&calm, NULL);
    if (is_good)
        atomic_store(&life.stage, ENDED);
    pthread_mutex_unlock(&life.lock);
    is_inside = false;
    hpm_calm_end(calm);
    return is_good;
}

/* After hpmTerminate in a handler the interrupted call goes on, and needs the
 * thread's part. */
static void
say_not_now(void)
{
    if (atomic_load(&life.stage) == RUNNING)
        hpm_message_say("hpmTerminate was called inside another call; the file "
                        "is written when the program exits");
}

static void
end_once(bool is_exit)
{
    struct hpm_calm calm;

    if (is_another_process())
        return;
    if (!begin_alone(&calm)) {
        if (!is_exit)
            say_not_now();
        else if (!end_inside_call())
            say_lost();
        return;
    }
    if (atomic_load(&life.stage) == RUNNING && hpm_life_recorder != NULL)
        end(&calm, has_entered() ? hpm_thread_self.thread : NULL);
    atomic_store(&life.stage, ENDED);
    end_alone(calm);
}

/* This thread has left a handler of exit, so that other threads in exit
 * wait. */
static __thread bool is_in_exit;

static void wait_for_end(void);

/* The C library has room for 32 handlers without malloc. */
enum { N_HELD_TOGETHER = 16 };

/* The C library runs each handler of exit once.  A second thread in exit finds
 * no handler left while the first thread is in the library's end, and ends the
 * process with no file written (glibc before 2.41).  So leave some handlers for
 * threads that come together; each of these leaves one for the next.  A running
 * handler has freed its place, so there is room for one more; for n if it was
 * the last handler. */
static void
hold_other_exits(int n)
{
    is_in_exit = true;
    for (int i = 0; i < n; i++)
        atexit(wait_for_end);
}

/* A handler of exit: wait until another thread's end is complete.  A thread
 * that has itself left such a handler does not wait. */
static void
wait_for_end(void)
{
    struct hpm_calm calm;

    if (is_in_exit || is_inside || is_another_process() ||
        atomic_load(&life.stage) == ENDED)
        return;
    hold_other_exits(1);
    calm = hpm_calm_begin();
    pthread_mutex_lock(&life.lock);
    pthread_mutex_unlock(&life.lock);
    hpm_calm_end(calm);
}

void
hpmTerminate(int task)
{
    (void)task;
    end_once(false);
}

/* Called by exit, after the handlers registered later, and before those
 * registered earlier and all destructors. */
static void
end_early(void)
{
    bool is_running = atomic_load(&life.stage) == RUNNING;

    hold_other_exits(1);
    end_once(true);
    is_past_end = is_running && atomic_load(&life.stage) == ENDED;
    hpm_message_trust();
}

/* Called by a library that brings a source, in a handler of exit, too. */
static void
end_before(const char *what)
{
    life.ends_first = what;
    end_early();
}

/* Runs after all atexit handlers and destructors of the program, which may
 * measure, too. */
static void at_exit(void) __attribute__((destructor));

static void
at_exit(void)
{
    if (atomic_load(&life.stage) == RUNNING && !is_another_process())
        hold_other_exits(N_HELD_TOGETHER);
    if (atomic_load(&life.stage) != ENDED)
        end_once(true);
}
