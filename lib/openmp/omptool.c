/* SPDX-License-Identifier: BSD-3-Clause
 * The OMPT tool: what the runtime tells of its threads becomes their states.
 *
 * The runtime calls the functions here in the thread they are about.  Between a call
 * that begins something and the one that ends it, the thread may execute other tasks:
 * so each task keeps the state in which its thread left it. */
#include "openmp/omptool.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "openmp/ompend.h"
#include "openmp/ompknown.h"
#include "openmp/ompregion.h"
#include "openmp/ompruntime.h"
#include "openmp/ompthread.h"
#include "openmp/ompwhole.h"

/* ---- tasks --------------------------------------------------------------- */

enum { IS_KEPT = 1, RUNNING_SHIFT = 8, STATE_SHIFT = 16, STATE_MASK = 0xff };

/* The thread leaves the task as it is now. */
static void
keep(const struct hpm_ompthread *own, union hpm_ompt_data *task)
{
    int state = atomic_load_explicit(&own->state, memory_order_relaxed);

    task->value = IS_KEPT | (uint64_t)own->running << RUNNING_SHIFT |
                  (uint64_t)state << STATE_SHIFT;
}

/* The thread goes on with a task, or begins it. */
static void
go_on(struct hpm_ompthread *own, union hpm_ompt_data *task)
{
    uint64_t kept = task->value;

    if ((kept & IS_KEPT) == 0) {
        own->running = HPM_OMPSTATE_TASK;
        hpm_ompthread_change(own, HPM_OMPSTATE_TASK, true);
        return;
    }
    task->value = 0;
    own->running = kept >> RUNNING_SHIFT & STATE_MASK;
    hpm_ompthread_change(own, kept >> STATE_SHIFT & STATE_MASK, false);
}

/* Without a next task the thread goes on with the same one. */
static void
schedule_task(union hpm_ompt_data *prior, int status, union hpm_ompt_data *next)
{
    struct hpm_ompthread *own = hpm_ompthread_get();

    if (own == NULL || next == NULL)
        return;
    if (prior != NULL && status != HPM_OMPT_COMPLETE &&
        status != HPM_OMPT_CANCEL && status != HPM_OMPT_DETACH)
        keep(own, prior);
    go_on(own, next);
}

/* ---- parallel regions ---------------------------------------------------- */

/* The call itself, of which the runtime knows where it returns to. */
static const void *
call_before(const void *caller)
{
    return caller != NULL ? (const char *)caller - 1 : NULL;
}

static void
begin_parallel(union hpm_ompt_data *task, const void *frame,
               union hpm_ompt_data *parallel, unsigned requested, int flags,
               const void *caller)
{
    struct hpm_ompthread *own;

    (void)task, (void)frame, (void)requested, (void)flags;
    hpm_ompwhole_begin();
    own = hpm_ompthread_get();
    parallel->ptr = own != NULL
                        ? hpm_ompregion_begin(own, caller, call_before(caller))
                        : NULL;
}

static void
end_parallel(union hpm_ompt_data *parallel, union hpm_ompt_data *task,
             int flags, const void *caller)
{
    struct hpm_ompthread *own = hpm_ompthread_get();

    (void)parallel, (void)task, (void)flags, (void)caller;
    if (own != NULL)
        hpm_ompregion_end(own);
}

/* The initial task of a program, or of another thread of its own, is no region's. */
static void
tell_implicit(int end, union hpm_ompt_data *parallel, union hpm_ompt_data *task,
              unsigned n_threads, unsigned index, int flags)
{
    struct hpm_ompthread *own = hpm_ompthread_get();
    struct hpm_ompteam *team = parallel != NULL ? parallel->ptr : NULL;

    if (end == HPM_OMPT_BEGIN)
        task->value = 0;
    if (own == NULL)
        return;
    if ((flags & HPM_OMPT_INITIAL) != 0 && team == NULL) {
        own->running = HPM_OMPSTATE_OUTSIDE;
        hpm_ompthread_change(own, HPM_OMPSTATE_OUTSIDE, false);
    } else if (end == HPM_OMPT_BEGIN) {
        hpm_ompregion_enter(own, team, index, n_threads);
    } else {
        hpm_ompregion_leave(own);
    }
}

/* ---- waiting ------------------------------------------------------------- */

/* Older runtimes have one word for the barriers at the end of regions and of
 * constructs in them.  At a region's end the caller is where the region began, or
 * nobody. */
static bool
is_at_end_of_region(const struct hpm_ompthread *own, const void *caller)
{
    const struct hpm_ompteam *team = hpm_ompregion_team(own);

    return caller == NULL || (team != NULL && team->caller == caller);
}

static enum hpm_ompstate
barrier_inside(struct hpm_ompthread *own)
{
    bool is_after_single = own->is_after_single;

    own->is_after_single = false;
    return is_after_single ? HPM_OMPSTATE_SINGLE_BARRIER
                           : HPM_OMPSTATE_LOOP_BARRIER;
}

/* OUTSIDE: no wait of its own; a reduction is within a barrier. */
static enum hpm_ompstate
wait_of(struct hpm_ompthread *own, int kind, const void *caller)
{
    switch (kind) {
    case HPM_OMPT_REDUCTION:
        return HPM_OMPSTATE_OUTSIDE;
    case HPM_OMPT_TASKWAIT:
    case HPM_OMPT_TASKGROUP:
        return HPM_OMPSTATE_TASKWAIT;
    case HPM_OMPT_IMPLICIT_PARALLEL:
    case HPM_OMPT_TEAMS:
        return HPM_OMPSTATE_REGION_BARRIER;
    case HPM_OMPT_IMPLICIT:
        return is_at_end_of_region(own, caller) ? HPM_OMPSTATE_REGION_BARRIER
                                                : barrier_inside(own);
    case HPM_OMPT_IMPLICIT_WORKSHARE:
    case HPM_OMPT_IMPLEMENTATION:
        return barrier_inside(own);
    default:
        return HPM_OMPSTATE_BARRIER;
    }
}

static void
tell_wait(int kind, int end, union hpm_ompt_data *parallel,
          union hpm_ompt_data *task, const void *caller)
{
    struct hpm_ompthread *own = hpm_ompthread_get();

    (void)parallel, (void)task;
    if (own == NULL || kind == HPM_OMPT_REDUCTION)
        return;
    if (end == HPM_OMPT_BEGIN) {
        enum hpm_ompstate state = wait_of(own, kind, caller);

        if (state == HPM_OMPSTATE_REGION_BARRIER)
            hpm_ompregion_arrive(own);
        else
            hpm_ompregion_wait(own, state);
    } else if (atomic_load_explicit(&own->state, memory_order_relaxed) ==
               HPM_OMPSTATE_REGION_BARRIER) {
        hpm_ompregion_pass(own);
    } else {
        hpm_ompregion_go_on(own);
    }
}

static void
tell_work(int kind, int end, union hpm_ompt_data *parallel,
          union hpm_ompt_data *task, uint64_t count, const void *caller)
{
    struct hpm_ompthread *own = hpm_ompthread_get();

    (void)end, (void)parallel, (void)task, (void)count, (void)caller;
    if (own != NULL)
        own->is_after_single =
            kind == HPM_OMPT_SINGLE_EXECUTOR || kind == HPM_OMPT_SINGLE_OTHER;
}

/* ---- locks --------------------------------------------------------------- */

/* OUTSIDE: a call that only tries does not wait. */
static enum hpm_ompstate
lock_of(int kind)
{
    switch (kind) {
    case HPM_OMPT_LOCK:
    case HPM_OMPT_NEST:
        return HPM_OMPSTATE_LOCK;
    case HPM_OMPT_CRITICAL:
        return HPM_OMPSTATE_CRITICAL;
    case HPM_OMPT_ATOMIC:
        return HPM_OMPSTATE_ATOMIC;
    case HPM_OMPT_ORDERED:
        return HPM_OMPSTATE_ORDERED;
    default:
        return HPM_OMPSTATE_OUTSIDE;
    }
}

static void
want_lock(int kind, unsigned hint, unsigned implementation, uint64_t lock,
          const void *caller)
{
    enum hpm_ompstate state = lock_of(kind);
    struct hpm_ompthread *own = hpm_ompthread_get();

    (void)hint, (void)implementation, (void)lock, (void)caller;
    if (own != NULL && state != HPM_OMPSTATE_OUTSIDE)
        hpm_ompregion_wait(own, state);
}

static void
have_lock(int kind, uint64_t lock, const void *caller)
{
    struct hpm_ompthread *own = hpm_ompthread_get();

    (void)lock, (void)caller;
    if (own != NULL && lock_of(kind) != HPM_OMPSTATE_OUTSIDE)
        hpm_ompregion_go_on(own);
}

/* The thread has this lock already, and takes it once more. */
static void
have_again(int end, uint64_t lock, const void *caller)
{
    if (end == HPM_OMPT_BEGIN)
        have_lock(HPM_OMPT_NEST, lock, caller);
}

/* ---- threads ------------------------------------------------------------- */

static void
begin_thread(int kind, union hpm_ompt_data *data)
{
    struct hpm_ompthread *own =
        kind == HPM_OMPT_WORKER ? hpm_ompthread_get() : NULL;

    (void)data;
    if (own != NULL)
        hpm_ompregion_begin_thread(own);
}

static void
end_thread(union hpm_ompt_data *data)
{
    struct hpm_ompthread *own = hpm_ompthread_own;

    (void)data;
    hpm_ompwhole_end_thread();
    if (own != NULL)
        hpm_ompregion_end_thread(own);
}

/* ---- the tool ------------------------------------------------------------ */

enum { ALWAYS_IN_PAIRS = 4 };

#define BIT(state) (1u << HPM_OMPSTATE_##state)

/* What the runtime can tell, and which states nobody knows without it. */
static const struct {
    int event;
    hpm_ompt_function function;
    unsigned states;
} callbacks[] = {
    {HPM_OMPT_THREAD_BEGIN, (hpm_ompt_function)begin_thread, BIT(SERIAL_IDLE)},
    {HPM_OMPT_THREAD_END, (hpm_ompt_function)end_thread, 0},
    {HPM_OMPT_PARALLEL_BEGIN, (hpm_ompt_function)begin_parallel,
     BIT(WORK) | BIT(FORK) | BIT(REGION_BARRIER) | BIT(SERIAL_IDLE)},
    {HPM_OMPT_PARALLEL_END, (hpm_ompt_function)end_parallel,
     BIT(WORK) | BIT(FORK) | BIT(REGION_BARRIER) | BIT(SERIAL_IDLE)},
    {HPM_OMPT_IMPLICIT_TASK, (hpm_ompt_function)tell_implicit,
     BIT(WORK) | BIT(FORK) | BIT(REGION_BARRIER) | BIT(SERIAL_IDLE)},
    {HPM_OMPT_TASK_SCHEDULE, (hpm_ompt_function)schedule_task, BIT(TASK)},
    {HPM_OMPT_SYNC_REGION_WAIT, (hpm_ompt_function)tell_wait,
     BIT(REGION_BARRIER) | BIT(LOOP_BARRIER) | BIT(SINGLE_BARRIER) |
         BIT(BARRIER) | BIT(TASKWAIT) | BIT(SERIAL_IDLE)},
    {HPM_OMPT_WORK, (hpm_ompt_function)tell_work,
     BIT(LOOP_BARRIER) | BIT(SINGLE_BARRIER)},
    {HPM_OMPT_MUTEX_ACQUIRE, (hpm_ompt_function)want_lock,
     BIT(CRITICAL) | BIT(LOCK) | BIT(ORDERED) | BIT(ATOMIC)},
    {HPM_OMPT_MUTEX_ACQUIRED, (hpm_ompt_function)have_lock,
     BIT(CRITICAL) | BIT(LOCK) | BIT(ORDERED) | BIT(ATOMIC)},
    {HPM_OMPT_NEST_LOCK, (hpm_ompt_function)have_again, BIT(LOCK)},
};

static int
start(hpm_ompt_lookup lookup, int device, union hpm_ompt_data *data)
{
    hpm_ompt_set_callback set =
        (hpm_ompt_set_callback)lookup("ompt_set_callback");
    unsigned missing = 0;

    (void)device, (void)data;
    if (set == NULL)
        return 0;
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++) {
        if (set(callbacks[i].event, callbacks[i].function) < ALWAYS_IN_PAIRS)
            missing |= callbacks[i].states;
    }
    hpm_ompknown_begin(missing);
    hpm_ompend_watch();
    return 1;
}

static void
finish(union hpm_ompt_data *data)
{
    (void)data;
}

/* Another tool that a runtime would take if this library were not there; NULL: none.
 * A runtime has a function of that name itself. */
static const char *
other_tool(void)
{
    const char *list = getenv("OMP_TOOL_LIBRARIES");
    void *next = dlsym(RTLD_NEXT, "ompt_start_tool");
    Dl_info info;

    if (next != NULL && dladdr(next, &info) != 0 &&
        !hpm_ompruntime_is(info.dli_fname))
        return info.dli_fname;
    if (list != NULL && *list != '\0' && strstr(list, "libhpm_openmp") == NULL)
        return list;
    return NULL;
}

struct hpm_ompt_start *
ompt_start_tool(unsigned version, const char *runtime)
{
    static struct hpm_ompt_start tool = {start, finish, {0}};
    const char *other = other_tool();

    (void)version, (void)runtime;
    if (other != NULL)
        hpm_message_say_format("OpenMP takes one tool: it is libhpm_openmp "
                               "now, and not %.200s; run "
                               "the program without libhpm_openmp for that one",
                               other);
    return &tool;
}
