/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of libgomp in which threads wait, and those that begin parallel regions.
 *
 * A static loop has no call but that of the barrier at its end, which is the one that the
 * directive `barrier` makes, too: so these two cannot be told apart. */
#include "base/mark.h"
#include "openmp/gompcall.h"
#include "openmp/ompregion.h"
#include "openmp/ompwhole.h"

#define EXPORTED __attribute__((visibility("default")))

/* ---- calls that wait ----------------------------------------------------- */

/* A call with parameters (types and names) and arguments (names), in which the thread is
 * in the state. */
#define WAITS(name, state, types, names)                                       \
    EXPORTED void name types;                                                  \
    void name types                                                            \
    {                                                                          \
        __typeof__(&name) real = HPM_GOMPCALL_REAL(name);                      \
        struct hpm_ompthread *own = begin_wait(state);                         \
                                                                               \
        real names;                                                            \
        end_wait(own);                                                         \
    }

/* The same, with a result. */
#define WAITS_FOR(type, name, state)                                           \
    EXPORTED type name(void);                                                  \
    type name(void)                                                            \
    {                                                                          \
        __typeof__(&name) real = HPM_GOMPCALL_REAL(name);                      \
        struct hpm_ompthread *own = begin_wait(state);                         \
        type result = real();                                                  \
                                                                               \
        end_wait(own);                                                         \
        return result;                                                         \
    }

/* Stands for the barrier of a call that follows `single`, or else is explicit. */
enum { ANY_BARRIER = -1 };

static struct hpm_ompthread *
begin_wait(int state)
{
    struct hpm_ompthread *own = hpm_gompcall_thread();

    if (own == NULL)
        return NULL;
    if (state == ANY_BARRIER)
        state = own->is_after_single ? HPM_OMPSTATE_SINGLE_BARRIER
                                     : HPM_OMPSTATE_BARRIER;
    own->is_after_single = false;
    hpm_ompregion_wait(own, (enum hpm_ompstate)state);
    return own;
}

static void
end_wait(struct hpm_ompthread *own)
{
    if (own != NULL)
        hpm_ompregion_go_on(own);
}

WAITS(GOMP_barrier, ANY_BARRIER, (void), ())
WAITS(GOMP_loop_end, HPM_OMPSTATE_LOOP_BARRIER, (void), ())
WAITS(GOMP_sections_end, HPM_OMPSTATE_LOOP_BARRIER, (void), ())
WAITS(GOMP_single_copy_end, HPM_OMPSTATE_SINGLE_BARRIER, (void *data), (data))
WAITS(GOMP_taskwait, HPM_OMPSTATE_TASKWAIT, (void), ())
WAITS(GOMP_taskwait_depend, HPM_OMPSTATE_TASKWAIT, (void **depend), (depend))
WAITS(GOMP_taskgroup_end, HPM_OMPSTATE_TASKWAIT, (void), ())
WAITS(GOMP_critical_start, HPM_OMPSTATE_CRITICAL, (void), ())
WAITS(GOMP_critical_name_start, HPM_OMPSTATE_CRITICAL, (void **name), (name))
WAITS(GOMP_atomic_start, HPM_OMPSTATE_ATOMIC, (void), ())
WAITS(GOMP_ordered_start, HPM_OMPSTATE_ORDERED, (void), ())
WAITS(omp_set_lock, HPM_OMPSTATE_LOCK, (void *lock), (lock))
WAITS(omp_set_nest_lock, HPM_OMPSTATE_LOCK, (void *lock), (lock))
WAITS(omp_set_lock_, HPM_OMPSTATE_LOCK, (void *lock), (lock))
WAITS(omp_set_nest_lock_, HPM_OMPSTATE_LOCK, (void *lock), (lock))

WAITS_FOR(bool, GOMP_barrier_cancel, ANY_BARRIER)
WAITS_FOR(bool, GOMP_loop_end_cancel, HPM_OMPSTATE_LOOP_BARRIER)
WAITS_FOR(bool, GOMP_sections_end_cancel, HPM_OMPSTATE_LOOP_BARRIER)
WAITS_FOR(void *, GOMP_single_copy_start, HPM_OMPSTATE_SINGLE_BARRIER)

EXPORTED bool GOMP_single_start(void);

bool
GOMP_single_start(void)
{
    bool executes = HPM_GOMPCALL_REAL(GOMP_single_start)();
    struct hpm_ompthread *own = hpm_gompcall_thread();

    if (own != NULL)
        own->is_after_single = true;
    return executes;
}

/* ---- parallel regions ---------------------------------------------------- */

typedef void function(void *data);

/* What a thread of a region gets instead of the program's data; lives in the call that
 * begins the region, and threads are through it when they come to its last barrier.
 * GOMP_parallel_reductions reads the first word of the data. */
struct region {
    void *first;
    function *work;
    void *data;
    struct hpm_ompteam *team;
};

static void
work_in_region(void *context)
{
    const struct region *region = context;
    const void *work = (const void *)(uintptr_t)region->work;
    const void *outer = hpm_gompcall_inside;
    struct hpm_ompthread *own = hpm_gompcall_thread();

    if (own != NULL)
        hpm_ompregion_enter(own, region->team, hpm_gompcall_number(work),
                            hpm_gompcall_size(work));
    hpm_gompcall_inside = work;
    region->work(region->data);
    hpm_gompcall_inside = outer;
    own = hpm_gompcall_thread();
    if (own != NULL)
        hpm_ompregion_arrive(own);
}

static struct hpm_ompthread *
begin_region(struct region *region)
{
    struct hpm_ompthread *own;

    hpm_ompwhole_begin();
    own = hpm_gompcall_thread();
    if (own != NULL)
        region->team = hpm_ompregion_begin(
            own, NULL, (const void *)(uintptr_t)region->work);
    return region->team != NULL ? own : NULL;
}

static void
end_region(struct hpm_ompthread *own)
{
    if (own == NULL)
        return;
    hpm_ompregion_pass(own);
    hpm_ompregion_end(own);
}

/* A call that executes `work` with `data` in a team. */
#define BEGINS(name, types, names)                                             \
    EXPORTED void name types;                                                  \
    void name types                                                            \
    {                                                                          \
        __typeof__(&name) real = HPM_GOMPCALL_REAL(name);                      \
        struct region region = {NULL, work, data, NULL};                       \
        struct hpm_ompthread *own = begin_region(&region);                     \
                                                                               \
        if (own != NULL) {                                                     \
            work = work_in_region;                                             \
            data = &region;                                                    \
        }                                                                      \
        real names;                                                            \
        end_region(own);                                                       \
    }

#define BEGINS_LOOP(name)                                                      \
    BEGINS(name,                                                               \
           (function * work, void *data, unsigned n, long start, long end,     \
            long step, long chunk, unsigned flags),                            \
           (work, data, n, start, end, step, chunk, flags))
#define BEGINS_LOOP_AT_RUN_TIME(name)                                          \
    BEGINS(name,                                                               \
           (function * work, void *data, unsigned n, long start, long end,     \
            long step, unsigned flags),                                        \
           (work, data, n, start, end, step, flags))

BEGINS(GOMP_parallel, (function * work, void *data, unsigned n, unsigned flags),
       (work, data, n, flags))
BEGINS(GOMP_parallel_sections,
       (function * work, void *data, unsigned n, unsigned count,
        unsigned flags),
       (work, data, n, count, flags))
BEGINS_LOOP(GOMP_parallel_loop_static)
BEGINS_LOOP(GOMP_parallel_loop_dynamic)
BEGINS_LOOP(GOMP_parallel_loop_guided)
BEGINS_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
BEGINS_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
BEGINS_LOOP_AT_RUN_TIME(GOMP_parallel_loop_runtime)
BEGINS_LOOP_AT_RUN_TIME(GOMP_parallel_loop_nonmonotonic_runtime)
BEGINS_LOOP_AT_RUN_TIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

EXPORTED unsigned GOMP_parallel_reductions(function *work, void *data,
                                           unsigned n, unsigned flags);

unsigned
GOMP_parallel_reductions(function *work, void *data, unsigned n, unsigned flags)
{
    __typeof__(&GOMP_parallel_reductions) real =
        HPM_GOMPCALL_REAL(GOMP_parallel_reductions);
    struct region region = {*(void **)data, work, data, NULL};
    struct hpm_ompthread *own = begin_region(&region);
    unsigned n_threads;

    if (own == NULL)
        return real(work, data, n, flags);
    n_threads = real(work_in_region, &region, n, flags);
    end_region(own);
    return n_threads;
}

/* ---- what gcc before 4.9 called ------------------------------------------ */

static void
lose_old(void)
{
    if (hpm_gompcall_thread() != NULL)
        hpm_ompthread_lose(N_("a part of the program was compiled by a gcc "
                              "before 4.9, whose parallel regions cannot be "
                              "seen; compile it anew"));
}

/* The thread that begins such a region works in it between two calls. */
#define BEGINS_OLD(name, types, names)                                         \
    EXPORTED void name types;                                                  \
    void name types                                                            \
    {                                                                          \
        __typeof__(&name) real = HPM_GOMPCALL_REAL(name);                      \
                                                                               \
        lose_old();                                                            \
        real names;                                                            \
    }

#define BEGINS_OLD_LOOP(name)                                                  \
    BEGINS_OLD(name,                                                           \
               (function * work, void *data, unsigned n, long start, long end, \
                long step, long chunk),                                        \
               (work, data, n, start, end, step, chunk))

BEGINS_OLD(GOMP_parallel_start, (function * work, void *data, unsigned n),
           (work, data, n))
BEGINS_OLD(GOMP_parallel_sections_start,
           (function * work, void *data, unsigned n, unsigned count),
           (work, data, n, count))
BEGINS_OLD(GOMP_parallel_loop_runtime_start,
           (function * work, void *data, unsigned n, long start, long end,
            long step),
           (work, data, n, start, end, step))
BEGINS_OLD_LOOP(GOMP_parallel_loop_static_start)
BEGINS_OLD_LOOP(GOMP_parallel_loop_dynamic_start)
BEGINS_OLD_LOOP(GOMP_parallel_loop_guided_start)
