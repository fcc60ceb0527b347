/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of libgomp that make tasks: so that a task that a thread executes while it
 * waits is not waiting.
 *
 * libgomp copies a task's data, of a size that the call says, and hands the copy to the
 * task.  This library adds its own part after the data.  Where that part is, the task
 * finds by the function that is called: there is one for each size. */
#include <string.h>

#include "base/mark.h"
#include "openmp/gompcall.h"
#include "openmp/ompregion.h"

#define EXPORTED __attribute__((visibility("default")))

typedef void work_of_task(void *data);
typedef void copy_of_data(void *to, void *from);

/* What stands after the task's data. */
struct task {
    work_of_task *work;
    copy_of_data *copy; /* NULL: the data are bytes */
    void *data;         /* the program's, while the call lasts */
    bool has_event; /* libgomp puts the event in the first word of the data */
};

/* Flags of the calls (gomp-constants.h of gcc). */
enum {
    DEPENDS = 1 << 3,
    NO_GROUP = 1 << 11,
    REDUCES = 1 << 12,
    HAS_EVENT = 1 << 13
};

enum {
    UNIT = 16,   /* sizes are rounded up to multiples */
    N_SIZES = 64 /* more private data than 1,008 bytes are rare */
};

/* ---- when libgomp calls back --------------------------------------------- */

/* Tasks nest in calls: each finds the thread as it leaves it. */
static void
execute(void *data, size_t size)
{
    const struct task *task = (const void *)((char *)data + size);
    work_of_task *work = task->work;
    const void *outer = hpm_gompcall_inside;
    struct hpm_ompthread *own = hpm_gompcall_thread();
    enum hpm_ompstate running = HPM_OMPSTATE_OUTSIDE;
    int state = HPM_OMPSTATE_OUTSIDE;

    if (own != NULL) {
        running = own->running;
        state = atomic_load_explicit(&own->state, memory_order_relaxed);
        own->running = HPM_OMPSTATE_TASK;
        hpm_ompthread_change(own, HPM_OMPSTATE_TASK, true);
    }
    hpm_gompcall_inside = (const void *)(uintptr_t)work;
    work(data);
    hpm_gompcall_inside = outer;
    if (own != NULL) {
        own->running = running;
        hpm_ompthread_change(own, (enum hpm_ompstate)state, false);
    }
}

static void
copy(void *to, void *from, size_t size)
{
    const struct task *task = (const void *)((char *)from + size);

    memcpy((char *)to + size, task, sizeof *task);
    if (task->has_event)
        memcpy(task->data, from, sizeof(void *));
    task->copy(to, task->data);
}

#define ONE(n)                                                                 \
    static void execute_##n(void *data)                                        \
    {                                                                          \
        execute(data, (n)*UNIT);                                               \
    }                                                                          \
    static void copy_##n(void *to, void *from)                                 \
    {                                                                          \
        copy(to, from, (n)*UNIT);                                              \
    }
#define NAME(n) {execute_##n, copy_##n},
#define EIGHT(DO, t)                                                           \
    DO(t##0) DO(t##1) DO(t##2) DO(t##3) DO(t##4) DO(t##5) DO(t##6) DO(t##7)
/* Octal numbers: 000 to 077. */
#define ALL(DO)                                                                \
    EIGHT(DO, 00)                                                              \
    EIGHT(DO, 01)                                                              \
    EIGHT(DO, 02)                                                              \
    EIGHT(DO, 03)                                                              \
    EIGHT(DO, 04) EIGHT(DO, 05) EIGHT(DO, 06) EIGHT(DO, 07)

ALL(ONE)

static const struct {
    work_of_task *execute;
    copy_of_data *copy;
} of_size[N_SIZES] = {ALL(NAME)};

/* ---- when the program makes a task ---------------------------------------- */

/* A task with our part after its data. */
struct packed {
    _Alignas(64) char data[N_SIZES * UNIT + sizeof(struct task)];
};

enum { MOST_ALIGNED = 64 };

/* How much of the program's data libgomp sees.  Where a function copies them, their size
 * is that of the copy: the program's may be shorter, and libgomp uses what stands at
 * their beginning alone. */
static size_t
seen(copy_of_data *copies, long size, unsigned flags)
{
    if (copies == NULL)
        return (size_t)size;
    if ((flags & REDUCES) != 0)
        return 3 * sizeof(void *);
    return (flags & HAS_EVENT) != 0 ? sizeof(void *) : 0;
}

/* Change what the program gives; false if it is to be passed on as it is. */
static bool
pack(struct packed *packed, work_of_task **work, void **data,
     copy_of_data **copies, long *size, long *alignment, unsigned flags)
{
    struct task task = {*work, *copies, *data, (flags & HAS_EVENT) != 0};
    size_t n = ((size_t)*size + UNIT - 1) / UNIT;

    if (hpm_gompcall_thread() == NULL)
        return false;
    if (*size < 0 || n >= N_SIZES) {
        hpm_ompthread_lose(
            N_("a task has more than 1,008 bytes of private data, so that it "
               "cannot be told from waiting; LLVM's OpenMP tells of tasks"));
        return false;
    }
    if (*alignment > MOST_ALIGNED) {
        hpm_ompthread_lose(
            N_("a task has private data that are aligned to more than 64 "
               "bytes, so that it cannot be told from waiting; LLVM's OpenMP "
               "tells of tasks"));
        return false;
    }
    if (*size > 0)
        memcpy(packed->data, *data, seen(*copies, *size, flags));
    memcpy(packed->data + n * UNIT, &task, sizeof task);
    *work = of_size[n].execute;
    *data = packed->data;
    *copies = *copies != NULL ? of_size[n].copy : NULL;
    *size = (long)(n * UNIT + sizeof task);
    if (*alignment < UNIT)
        *alignment = UNIT;
    return true;
}

/* The call waits for tasks, besides executing some: a taskloop at its end for those it
 * has made, unless it is without a group; a task that is executed at once for those it
 * depends on, and for its event. */
static struct hpm_ompthread *
begin_call(bool waits)
{
    struct hpm_ompthread *own = waits ? hpm_gompcall_thread() : NULL;

    if (own != NULL)
        hpm_ompregion_wait(own, HPM_OMPSTATE_TASKWAIT);
    return own;
}

#define MAKES_TASKS(name, waits, types, names)                                 \
    EXPORTED void name types;                                                  \
    void name types                                                            \
    {                                                                          \
        __typeof__(&name) real = HPM_GOMPCALL_REAL(name);                      \
        struct packed packed;                                                  \
        struct hpm_ompthread *own;                                             \
                                                                               \
        pack(&packed, &work, &data, &copies, &size, &alignment, flags);        \
        own = begin_call(waits);                                               \
        real names;                                                            \
        if (own != NULL)                                                       \
            hpm_ompregion_go_on(own);                                          \
    }

MAKES_TASKS(GOMP_task, !is_deferred && (flags & (DEPENDS | HAS_EVENT)) != 0,
            (work_of_task * work, void *data, copy_of_data *copies, long size,
             long alignment, bool is_deferred, unsigned flags, void **depend,
             int priority, void *detach),
            (work, data, copies, size, alignment, is_deferred, flags, depend,
             priority, detach))
MAKES_TASKS(GOMP_taskloop, (flags & NO_GROUP) == 0,
            (work_of_task * work, void *data, copy_of_data *copies, long size,
             long alignment, unsigned flags, unsigned long n_tasks,
             int priority, long start, long end, long step),
            (work, data, copies, size, alignment, flags, n_tasks, priority,
             start, end, step))
MAKES_TASKS(GOMP_taskloop_ull, (flags & NO_GROUP) == 0,
            (work_of_task * work, void *data, copy_of_data *copies, long size,
             long alignment, unsigned flags, unsigned long n_tasks,
             int priority, unsigned long long start, unsigned long long end,
             unsigned long long step),
            (work, data, copies, size, alignment, flags, n_tasks, priority,
             start, end, step))
