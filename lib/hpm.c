/* SPDX-License-Identifier: BSD-3-Clause
 * The public calls: thin, over the recorder; and what happens at the end. */
#include "libhpm.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "base/cancel.h"
#include "base/env.h"
#include "base/floating.h"
#include "base/literal.h"
#include "base/memory.h"
#include "base/stack.h"
#include "counted.h"
#include "record/checkpoint.h"
#include "record/recorder.h"
#include "record/run.h"
#include "session/calibrate.h"
#include "session/results.h"
#include "session/settings.h"
#include "session/voice.h"

_Static_assert((int)HPM_NO_PARENT == (int)HPM_PARENT_NONE &&
                   (int)HPM_AUTO_PARENT == (int)HPM_PARENT_AUTO &&
                   (int)HPM_ONLY_EXCLUSIVE == (int)HPM_PARENT_EXCLUSIVE,
               "the public constants are the table's");

enum stage { BEFORE, RUNNING, ENDED };

enum { STACK_FOR_INIT = 24 << 10 };

static struct {
    pthread_mutex_t lock; /* of init and end */
    atomic_int stage;
    struct hpm_settings settings;
    struct hpm_recorder *recorder;
    struct hpm_recorder *inherited; /* in a forked child: its parent's */
    pthread_key_t thread_key;       /* its destructor sees threads end */
    bool has_thread_key;
    bool said_init_again;
    bool said_small_stack;
} hpm = {.lock = PTHREAD_MUTEX_INITIALIZER};

int hpm_error_count;

/* The calling thread's part; NULL after its end, or where nothing is measured.
 * Before its first call a part that is nobody's: busy, so that calls look no
 * further before they come to the cold path. */
static struct hpm_thread not_entered = {.is_busy = true};
static __thread struct hpm_thread *current
    __attribute__((tls_model("initial-exec"))) = &not_entered;

/* The calling thread is in init, registration or the end, which take locks and
 * memory: a signal handler must not come back here. */
static __thread volatile bool is_inside;

/* It is forking, and has hpm.lock. */
static __thread bool has_lock_at_fork;

/* ---- init ------------------------------------------------------------ */

/* Destructors of what the program keeps per thread may measure, too, and run
 * before and after this one: leave in the second round of destructors. */
static void
leave_thread(void *data)
{
    struct hpm_recorder *recorder = hpm.recorder;
    struct hpm_thread *thread = data;

    if (!thread->is_leaving &&
        pthread_setspecific(hpm.thread_key, thread) == 0) {
        thread->is_leaving = true;
        return;
    }
    current = NULL;
    if (recorder != NULL)
        hpm_recorder_leave(recorder, thread);
}

static bool
start_recorder(void)
{
    struct hpm_error err;

    hpm.recorder = hpm_recorder_new(&hpm.settings.plan, hpm_voice_say,
                                    &hpm_error_count, &err);
    if (hpm.recorder == NULL)
        hpm_voice_say_format("%s; nothing is measured", err.text);
    else
        hpm_results_begin(&hpm.settings, hpm.recorder);
    return hpm.recorder != NULL;
}

/* A forked child starts from zero, with a file of its own: what it inherited
 * of its parent is forgotten.  The parent's counters are only closed, which
 * does not touch them; its memory is left, for another thread may have held
 * it half changed at the fork. */
static void
after_fork_in_child(void)
{
    struct hpm_recorder *inherited = hpm.recorder;

    hpm_memory_forget();
    pthread_mutex_init(&hpm.lock, NULL);
    is_inside = false;
    current = &not_entered;
    if (hpm.has_thread_key)
        pthread_setspecific(hpm.thread_key, NULL);
    if (!has_lock_at_fork) { /* half done: nothing is measured here */
        hpm.recorder = NULL;
        atomic_store(&hpm.stage, ENDED);
    }
    if (inherited == NULL || atomic_load(&hpm.stage) != RUNNING)
        return;
    for (struct hpm_thread *thread = inherited->threads.list; thread != NULL;
         thread = thread->next)
        hpm_meter_stop(thread->meter);
    if (inherited->process.meter != NULL)
        hpm_meter_stop(inherited->process.meter);
    hpm_checkpoint_forget(inherited);
    inherited->inherited = hpm.inherited;
    hpm.inherited = inherited;
    hpm.recorder = NULL;
}

/* The child's first call: a recorder of its own, and names with its id. */
static void
start_in_child(void)
{
    hpm_settings_choose_for_child(&hpm.settings);
    if (start_recorder())
        hpm_recorder_inherit_costs(hpm.recorder, hpm.inherited);
}

/* Nobody is in init, registration or the end while the process is forked: what
 * the child inherits is whole, and none of the C library's locks is held by us.
 * But it is not worth a deadlock: whoever is in there may wait for a lock the
 * forking thread has. */
static void
before_fork(void)
{
    struct timespec end;

    has_lock_at_fork = false;
    if (is_inside)
        return;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    has_lock_at_fork = pthread_mutex_timedlock(&hpm.lock, &end) == 0;
}

static void
after_fork_in_parent(void)
{
    if (has_lock_at_fork)
        pthread_mutex_unlock(&hpm.lock);
}

/* Before anything can be locked at a fork. */
static void watch_forks(void) __attribute__((constructor));

static void
watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void
begin_recording(int task, const char *program)
{
    hpm_voice_init();
    hpm_clock_init();
    hpm_literal_init();
    if (!hpm_settings_choose(&hpm.settings, task, program) ||
        (!hpm.has_thread_key &&
         pthread_key_create(&hpm.thread_key, leave_thread) != 0)) {
        hpm_voice_say("out of memory; nothing is measured");
        return;
    }
    hpm.has_thread_key = true;
    if (start_recorder())
        atomic_store(&hpm.stage, RUNNING);
}

/* Settings, names of events and libpfm4 need some room. */
static bool
has_stack_for_init(void)
{
    if (hpm_stack_free() >= STACK_FOR_INIT)
        return true;
    if (!hpm.said_small_stack) {
        hpm_voice_init();
        hpm_voice_say_format("calls are ignored until one comes from a thread "
                             "with at least %d KB of stack left; call hpmInit "
                             "in the main thread", STACK_FOR_INIT >> 10);
    }
    hpm.said_small_stack = true;
    return false;
}

static bool
is_off(void)
{
    return getauxval(AT_SECURE) != 0 ||
           hpm_env_is_on(HPM_VARIABLE_DISABLE, false);
}

/* With the lock held; false when a later call has to do it. */
static bool
init(int task, const char *program)
{
    bool is_on = !is_off();

    if (is_on && !has_stack_for_init())
        return false;
    atomic_store(&hpm.stage, ENDED);
    if (is_on)
        begin_recording(task, program);
    return true;
}

/* The cold paths run with the program's errno and floating-point environment
 * kept, and their thread not to be cancelled half-way. */
struct calm {
    struct hpm_floating floating;
    struct hpm_cancel cancel;
    int saved_errno;
};

static struct calm
begin_calm(void)
{
    struct calm calm = {.saved_errno = errno};

    calm.cancel = hpm_cancel_hold();
    calm.floating = hpm_floating_hold();
    return calm;
}

/* The last of a call: a thread that was cancelled meanwhile does not return. */
static void
end_calm(struct calm calm)
{
    hpm_floating_release(calm.floating);
    errno = calm.saved_errno;
    hpm_cancel_release(calm.cancel);
}

static bool
has_entered(void)
{
    return current != NULL && current != &not_entered;
}

static void
set_busy(bool is_busy)
{
    if (has_entered())
        atomic_store_explicit(&current->is_busy, is_busy,
                              memory_order_release);
}

static bool
is_in_call(void)
{
    return has_entered() &&
           atomic_load_explicit(&current->is_busy, memory_order_relaxed);
}

/* The same, alone in init, registration or the end, the thread's own part
 * marked busy; false for a signal handler that interrupted one of them, or
 * another call, in this thread. */
static bool
begin_alone(struct calm *ret_calm)
{
    if (is_inside || is_in_call())
        return false;
    is_inside = true;
    set_busy(true);
    *ret_calm = begin_calm();
    pthread_mutex_lock(&hpm.lock);
    return true;
}

static void
end_alone(struct calm calm)
{
    pthread_mutex_unlock(&hpm.lock);
    set_busy(false);
    is_inside = false;
    end_calm(calm);
}

/* The library calls its own public calls as the program would: not inside
 * another call, and with the program's state of cancellation, which makes a
 * difference; but with no signal handler and no cancellation in between. */
static void
begin_own_calls(const struct calm *calm, sigset_t *ret_signals)
{
    sigset_t all;
    int ignored;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, ret_signals);
    pthread_setcancelstate(calm->cancel.state, &ignored);
    set_busy(false);
}

static void
end_own_calls(const sigset_t *signals)
{
    int ignored;

    set_busy(true);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &ignored);
    pthread_sigmask(SIG_SETMASK, signals, NULL);
}

/* The first thread finds out what measuring costs, before anything is
 * measured.  A forked child is the same program: its parent's costs hold. */
static void
calibrate_threads(struct hpm_thread *thread, int which,
                  const struct calm *calm)
{
    struct hpm_recorder *recorder = hpm.recorder;
    struct hpm_calibration *calibration = &recorder->calibrations[which];
    sigset_t signals;

    if (calibration->is_done || hpm_meter_is_replayed(thread->meter))
        return;
    begin_own_calls(calm, &signals);
    hpm_calibrate_thread(thread, calibration);
    end_own_calls(&signals);
    if (which == HPM_CALIBRATION_THREAD_INIT && calibration->is_done)
        memcpy(recorder->costs.amounts, calibration->costs.amounts,
               sizeof recorder->costs.amounts);
}

/* With the lock held, by a registered thread.  Its flag is up while it calls
 * itself to calibrate, that of the others is not. */
static void
open_process(struct hpm_thread *thread, const struct calm *calm)
{
    struct hpm_recorder *recorder = hpm.recorder;
    struct hpm_process *process = &recorder->process;
    struct hpm_calibration *calibration =
        &recorder->calibrations[HPM_CALIBRATION_PROCESS_INIT];
    sigset_t signals;

    thread->has_process = true;
    if (process->is_opened)
        return;
    process->is_opened = true;
    hpm_process_open(process);
    if (process->forest == NULL)
        return;
    if (!hpm_meter_is_replayed(thread->meter)) {
        begin_own_calls(calm, &signals);
        hpm_calibrate_process(process, thread, calibration);
        end_own_calls(&signals);
        for (int i = HPM_COST_PROCESS_START; i <= HPM_COST_PROCESS_STOP; i++)
            memcpy(recorder->costs.amounts[i], calibration->costs.amounts[i],
                   sizeof recorder->costs.amounts[i]);
        memcpy(process->costs.amounts[HPM_COST_SELF],
               calibration->costs.amounts[HPM_COST_SELF],
               sizeof process->costs.amounts[HPM_COST_SELF]);
    }
    hpm_checkpoint_add_process(recorder->checkpoint);
}

/* Register the calling thread, with the lock held; NULL when there is nothing
 * to measure. */
static struct hpm_thread *
register_thread(const struct calm *calm)
{
    struct hpm_thread *thread = NULL;

    if (atomic_load(&hpm.stage) == RUNNING && hpm.recorder == NULL)
        start_in_child();
    if (atomic_load(&hpm.stage) == RUNNING && hpm.recorder != NULL)
        thread = hpm_recorder_enter(hpm.recorder);
    current = thread;
    if (thread == NULL)
        return NULL;
    pthread_setspecific(hpm.thread_key, thread);
    calibrate_threads(thread, HPM_CALIBRATION_THREAD_INIT, calm);
    if (hpm.recorder->process.is_opened ||
        hpm_env_is_on(HPM_VARIABLE_PROCESS, false))
        open_process(thread, calm);
    return thread;
}

void
hpmInit(int task, const char *program)
{
    struct calm calm;

    if (!begin_alone(&calm))
        return;
    if (atomic_load(&hpm.stage) == BEFORE) {
        if (init(task, program) && current == &not_entered)
            register_thread(&calm);
    } else if (atomic_load(&hpm.stage) == RUNNING && !hpm.said_init_again) {
        hpm.said_init_again = true;
        hpm_voice_say("hpmInit was called again or after the first section; ignored");
    }
    end_alone(calm);
}

/* The calling thread's first call; NULL when there is nothing to measure. */
static struct hpm_thread *
enter(void)
{
    struct hpm_thread *thread = NULL;
    struct calm calm;

    if (!begin_alone(&calm))
        return NULL;
    if (atomic_load(&hpm.stage) != BEFORE || init(-1, NULL))
        thread = register_thread(&calm);
    end_alone(calm);
    return thread;
}

/* A call was not let in.  Is it the thread's first one, and now it has entered?
 */
static bool
may_enter(const struct hpm_thread *refused)
{
    return refused == &not_entered && enter() != NULL;
}

/* The calling thread's part, busy until hpm_recorder_end_call; NULL when the
 * call is to do nothing. */
static inline struct hpm_thread *
begin_call(void)
{
    struct hpm_thread *thread = current;

    if (thread == NULL)
        return NULL;
    if (__builtin_expect(!hpm_recorder_begin_call(hpm.recorder, thread), 0)) {
        if (!may_enter(thread) ||
            !hpm_recorder_begin_call(hpm.recorder, current))
            return NULL;
        thread = current;
    }
    return thread;
}

/* ---- edges ----------------------------------------------------------- */

/* Where nothing is measured, a call returns at once; else it goes on here, with
 * its arguments where they are. */
static void start(int id, const char *label, const char *file, int line,
                  struct hpm_thread *thread, int parent)
    __attribute__((noinline));
static void stop(int id, const char *file, int line, struct hpm_thread *thread)
    __attribute__((noinline));

/* Apart, for what has to be kept while a thread enters, every call would save.
 * They end in a jump: after its reading a first call does what all do. */
static __attribute__((cold, noinline)) void
start_first(int id, const char *label, const char *file, int line,
            const struct hpm_thread *refused, int parent)
{
    if (may_enter(refused))
        start(id, label, file, line, current, parent);
}

static __attribute__((cold, noinline)) void
stop_first(int id, const char *file, int line, const struct hpm_thread *refused)
{
    if (may_enter(refused))
        stop(id, file, line, current);
}

static void
start(int id, const char *label, const char *file, int line,
      struct hpm_thread *thread, int parent)
{
    if (!hpm_recorder_begin_call(hpm.recorder, thread)) {
        start_first(id, label, file, line, thread, parent);
        return;
    }
    hpm_thread_start(thread, id, parent, label, file, line);
    hpm_recorder_end_call(thread);
}

static void
stop(int id, const char *file, int line, struct hpm_thread *thread)
{
    if (!hpm_recorder_begin_call(hpm.recorder, thread)) {
        stop_first(id, file, line, thread);
        return;
    }
    hpm_thread_stop(thread, id, file, line);
    hpm_recorder_end_call(thread);
}

void
hpmTstartAt(int id, const char *label, const char *file, int line)
{
    struct hpm_thread *thread = current;

    if (thread != NULL)
        start(id, label, file, line, thread, HPM_AUTO_PARENT);
}

void
hpmTstartxAt(int id, int parent, const char *label, const char *file, int line)
{
    struct hpm_thread *thread = current;

    if (thread != NULL)
        start(id, label, file, line, thread, parent);
}

void
hpmTstopAt(int id, const char *file, int line)
{
    struct hpm_thread *thread = current;

    if (thread != NULL)
        stop(id, file, line, thread);
}

/* At a thread's first process section: open the process's counters, or wait
 * until another thread has. */
static void
enter_process(struct hpm_thread *thread)
{
    struct calm calm;

    if (!begin_alone(&calm))
        return;
    open_process(thread, &calm);
    end_alone(calm);
}

/* As begin_call, with the process's counters open. */
static struct hpm_thread *
begin_process_call(void)
{
    struct hpm_thread *thread = begin_call();

    if (__builtin_expect(thread == NULL || thread->has_process, 1))
        return thread;
    hpm_recorder_end_call(thread);
    enter_process(thread);
    return begin_call();
}

void
hpmStartxAt(int id, int parent, const char *label, const char *file, int line)
{
    struct hpm_thread *thread = begin_process_call();
    struct calm calm;

    if (thread == NULL)
        return;
    calm = begin_calm();
    hpm_process_start(&hpm.recorder->process, thread, id, parent, label, file,
                      line);
    hpm_recorder_end_call(thread);
    end_calm(calm);
}

void
hpmStartAt(int id, const char *label, const char *file, int line)
{
    hpmStartxAt(id, HPM_AUTO_PARENT, label, file, line);
}

void
hpmStopAt(int id, const char *file, int line)
{
    struct hpm_thread *thread = begin_process_call();
    struct calm calm;

    if (thread == NULL)
        return;
    calm = begin_calm();
    hpm_process_stop(&hpm.recorder->process, thread, id, file, line);
    hpm_recorder_end_call(thread);
    end_calm(calm);
}

void(hpmTstart)(int id, const char *label)
{
    hpmTstartAt(id, label, NULL, 0);
}

void(hpmTstop)(int id)
{
    hpmTstopAt(id, NULL, 0);
}

void(hpmStart)(int id, const char *label)
{
    hpmStartAt(id, label, NULL, 0);
}

void(hpmStop)(int id)
{
    hpmStopAt(id, NULL, 0);
}

void(hpmTstartx)(int id, int parent, const char *label)
{
    hpmTstartxAt(id, parent, label, NULL, 0);
}

void(hpmStartx)(int id, int parent, const char *label)
{
    hpmStartxAt(id, parent, label, NULL, 0);
}

/* ---- edges with counted strings -------------------------------------- */

void
hpm_counted_tstart(int id, int parent, struct hpm_counted label,
                   struct hpm_counted file, int line)
{
    struct hpm_thread *thread = begin_call();

    if (thread == NULL)
        return;
    hpm_thread_start_counted(thread, id, parent, label, file, line);
    hpm_recorder_end_call(thread);
}

void
hpm_counted_tstop(int id, struct hpm_counted file, int line)
{
    struct hpm_thread *thread = begin_call();

    if (thread == NULL)
        return;
    hpm_thread_stop_counted(thread, id, file, line);
    hpm_recorder_end_call(thread);
}

/* Process edges are long in any case: their strings are copied every time,
 * inside the call, for that may take memory. */
void
hpm_counted_start(int id, int parent, struct hpm_counted label,
                  struct hpm_counted file, int line)
{
    struct hpm_thread *thread = begin_process_call();
    struct hpm_text label_text, file_text;
    struct calm calm;

    if (thread == NULL)
        return;
    calm = begin_calm();
    hpm_text_init(&label_text, label);
    hpm_text_init(&file_text, file);
    hpm_process_start(&hpm.recorder->process, thread, id, parent,
                      label_text.text, file_text.text, line);
    hpm_text_clear(&label_text);
    hpm_text_clear(&file_text);
    end_calm(calm);
    hpm_recorder_end_call(thread);
}

void
hpm_counted_stop(int id, struct hpm_counted file, int line)
{
    struct hpm_thread *thread = begin_process_call();
    struct hpm_text file_text;
    struct calm calm;

    if (thread == NULL)
        return;
    calm = begin_calm();
    hpm_text_init(&file_text, file);
    hpm_process_stop(&hpm.recorder->process, thread, id, file_text.text, line);
    hpm_text_clear(&file_text);
    end_calm(calm);
    hpm_recorder_end_call(thread);
}

/* ---- work and readings ----------------------------------------------- */

void
hpmWork(int id, long long amount, const char *unit)
{
    struct hpm_thread *thread = begin_call();
    const char *word = unit != NULL && unit[0] != '\0' ? unit : "work";
    const struct hpm_place place = {.instance = id};
    struct calm calm;

    if (thread == NULL)
        return;
    calm = begin_calm();
    if (amount < 0)
        hpm_problems_add(hpm.recorder->problems, HPM_PROBLEM_NEGATIVE_WORK,
                         &place, 1);
    else if (!hpm_thread_add_work(thread, id, (uint64_t)amount, word) &&
             !hpm_process_add_work(&hpm.recorder->process, id,
                                   (uint64_t)amount, word))
        hpm_problems_add(hpm.recorder->problems, HPM_PROBLEM_WORK_NOT_OPEN,
                         &place, 1);
    hpm_recorder_end_call(thread);
    end_calm(calm);
}

static long long
value_of(const struct hpm_meter *meter, size_t event, const uint64_t *used)
{
    struct hpm_count count = hpm_meter_count(meter, event, used);

    return hpm_state_has_value(count.state) ? (long long)count.value : -1;
}

static double
seconds_of(uint64_t ticks)
{
    double ns_per_tick = hpm_clock_ns_per_tick(hpm.recorder->start,
                                               hpm_clock_instant());

    return (double)ticks * ns_per_tick / 1e9;
}

/* As many values as there are counters, at most `n`; returns how many. */
static int
read_counters(int n, double *time, long long *values)
{
    uint64_t used[HPM_MAX_SLOTS] = {0};
    struct hpm_thread *thread = begin_call();
    struct hpm_floating program;
    int n_values = 0;

    if (time != NULL)
        *time = 0.0;
    if (thread == NULL)
        return 0;
    hpm_thread_read(thread, used);
    program = hpm_floating_hold();
    if (time != NULL)
        *time = seconds_of(used[0]);
    for (; n_values < n && (size_t)n_values < thread->meter->n_events;
         n_values++)
        values[n_values] = value_of(thread->meter, (size_t)n_values, used);
    hpm_floating_release(program);
    hpm_recorder_end_call(thread);
    return n_values;
}

void
hpmGetTimeAndCounters(int n, double *time, long long *values)
{
    for (int i = read_counters(values != NULL ? n : 0, time, values);
         values != NULL && i < n; i++)
        values[i] = -1;
}

void
hpmGetCounters(long long *values)
{
    int n_values = 0;

    if (values == NULL)
        return;
    n_values = read_counters(HPM_MAX_EVENTS, NULL, values);
    for (size_t i = (size_t)n_values; i < hpm.settings.set.n_thread_events; i++)
        values[i] = -1;
}

int(hpmVersion)(void)
{
    return LIBHPM_VERSION;
}

/* ---- the end --------------------------------------------------------- */

/* With the lock held, by the one thread that ends it. */
static void
end(const struct calm *calm)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_thread *self = has_entered() ? current : NULL;
    struct hpm_settings *settings = &hpm.settings;
    struct hpm_error err;
    bool is_good;

    if (experiment == NULL) {
        hpm_results_give_up(hpm.recorder, "out of memory");
        return;
    }
    if (self != NULL)
        calibrate_threads(self, HPM_CALIBRATION_THREAD_END, calm);
    is_good =
        hpm_run_describe(&experiment->run, settings->run.program,
                         settings->run.task, &hpm.recorder->start_date) &&
        hpm_recorder_harvest(hpm.recorder, self, experiment, &err) &&
        hpm_run_describe_machine(&experiment->machine, &settings->set,
                                 hpm.recorder->ns_per_tick);
    if (is_good)
        hpm_results_write(settings, hpm.recorder, experiment);
    else
        hpm_results_give_up(hpm.recorder, "out of memory");
    hpm_experiment_free(experiment);
}

static void
end_once(void)
{
    struct calm calm;

    if (!begin_alone(&calm)) {
        if (atomic_load(&hpm.stage) == RUNNING)
            hpm_voice_say(hpm.recorder != NULL &&
                                  hpm.recorder->checkpoint != NULL
                              ? "a signal handler ends the program inside a "
                                "call; there is only the journal"
                              : "a signal handler ends the program inside a "
                                "call; the measurement is lost");
        return;
    }
    if (atomic_load(&hpm.stage) == RUNNING && hpm.recorder != NULL)
        end(&calm);
    atomic_store(&hpm.stage, ENDED);
    end_alone(calm);
}

void
hpmTerminate(int task)
{
    (void)task;
    end_once();
}

/* After all atexit handlers and destructors of the program, which may measure
 * too. */
static void at_exit(void) __attribute__((destructor));

static void
at_exit(void)
{
    end_once();
}
