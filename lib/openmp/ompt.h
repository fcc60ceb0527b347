/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of OMPT that this library uses: the interface by which an OpenMP runtime
 * tells a tool what its threads do (OpenMP 5.0 to 5.2, chapter "OMPT Interface").
 * Compilers bring a header with all of it, but gcc 12 brings none. */
#ifndef HPM_OPENMP_OMPT_H
#define HPM_OPENMP_OMPT_H

#include <stdint.h>

/* What a tool may keep at a task and at a parallel region. */
union hpm_ompt_data {
    uint64_t value;
    void *ptr;
};

enum hpm_ompt_event {
    HPM_OMPT_THREAD_BEGIN = 1,
    HPM_OMPT_THREAD_END = 2,
    HPM_OMPT_PARALLEL_BEGIN = 3,
    HPM_OMPT_PARALLEL_END = 4,
    HPM_OMPT_TASK_SCHEDULE = 6,
    HPM_OMPT_IMPLICIT_TASK = 7,
    HPM_OMPT_SYNC_REGION_WAIT = 16,
    HPM_OMPT_WORK = 20,
    HPM_OMPT_MUTEX_ACQUIRE = 26,
    HPM_OMPT_MUTEX_ACQUIRED = 27,
    HPM_OMPT_NEST_LOCK = 28
};

enum hpm_ompt_end { HPM_OMPT_BEGIN = 1, HPM_OMPT_END = 2 };

enum hpm_ompt_thread { HPM_OMPT_WORKER = 2 };

/* A flag of an implicit task: it is the initial one, of no parallel region. */
enum { HPM_OMPT_INITIAL = 1 };

/* Where a thread waits for others.  Before OpenMP 5.1 all barriers that no
 * directive asks for are IMPLICIT. */
enum hpm_ompt_sync {
    HPM_OMPT_BARRIER = 1,
    HPM_OMPT_IMPLICIT = 2,
    HPM_OMPT_EXPLICIT = 3,
    HPM_OMPT_IMPLEMENTATION = 4,
    HPM_OMPT_TASKWAIT = 5,
    HPM_OMPT_TASKGROUP = 6,
    HPM_OMPT_REDUCTION = 7,
    HPM_OMPT_IMPLICIT_WORKSHARE = 8,
    HPM_OMPT_IMPLICIT_PARALLEL = 9,
    HPM_OMPT_TEAMS = 10
};

enum hpm_ompt_work { HPM_OMPT_SINGLE_EXECUTOR = 3, HPM_OMPT_SINGLE_OTHER = 4 };

enum hpm_ompt_mutex {
    HPM_OMPT_LOCK = 1,
    HPM_OMPT_TEST_LOCK = 2,
    HPM_OMPT_NEST = 3,
    HPM_OMPT_TEST_NEST = 4,
    HPM_OMPT_CRITICAL = 5,
    HPM_OMPT_ATOMIC = 6,
    HPM_OMPT_ORDERED = 7
};

/* How the earlier of two tasks left its thread. */
enum hpm_ompt_status {
    HPM_OMPT_COMPLETE = 1,
    HPM_OMPT_CANCEL = 3,
    HPM_OMPT_DETACH = 4
};

typedef void (*hpm_ompt_function)(void);
typedef hpm_ompt_function (*hpm_ompt_lookup)(const char *name);
typedef int (*hpm_ompt_set_callback)(int event, hpm_ompt_function callback);

/* What ompt_start_tool returns. */
struct hpm_ompt_start {
    int (*initialize)(hpm_ompt_lookup lookup, int device,
                      union hpm_ompt_data *tool_data);
    void (*finalize)(union hpm_ompt_data *tool_data);
    union hpm_ompt_data tool_data;
};

#endif
