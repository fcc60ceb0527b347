/* SPDX-License-Identifier: BSD-3-Clause
 * What a thread of an OpenMP program does: it is in one of these states at a time, so
 * that the times of all states are the time of the thread, but for its calls of MPI where
 * these are counted. */
#ifndef HPM_OPENMP_OMPSTATE_H
#define HPM_OPENMP_OMPSTATE_H

/* A state, its word in the names of events, whether the number of times is counted,
 * and what it is. */
#define HPM_OMPSTATES(DO)                                                      \
    DO(WORK, "work", true,                                                     \
       N_("in parallel regions, without tasks and waiting"))                   \
    DO(TASK, "task", true, N_("in explicit tasks"))                            \
    DO(FORK, "fork", true,                                                     \
       N_("the beginning and end of parallel regions, where teams are made"))  \
    DO(REGION_BARRIER, "region_barrier", true,                                 \
       N_("in the barrier at the end of parallel regions"))                    \
    DO(LOOP_BARRIER, "loop_barrier", true,                                     \
       N_("in barriers at the end of loops and sections"))                     \
    DO(SINGLE_BARRIER, "single_barrier", true,                                 \
       N_("in barriers at the end of single constructs"))                      \
    DO(BARRIER, "explicit_barrier", true,                                      \
       N_("in barriers that a directive asks for"))                            \
    DO(TASKWAIT, "taskwait", true, N_("waiting for explicit tasks"))           \
    DO(CRITICAL, "critical", true, N_("waiting for a critical construct"))     \
    DO(LOCK, "lock", true, N_("waiting for OpenMP locks"))                     \
    DO(ORDERED, "ordered", true, N_("waiting for an ordered construct"))       \
    DO(ATOMIC, "atomic", true, N_("waiting for an atomic construct"))          \
    DO(SERIAL_IDLE, "serial_idle", false,                                      \
       N_("a thread of OpenMP without work, as in serial parts"))

/* OUTSIDE is the program's serial part, and whatever else OpenMP knows nothing of. */
#define HPM_OMPSTATE_ENUMERATE(name, word, has_calls, description)             \
    HPM_OMPSTATE_##name,
enum hpm_ompstate {
    HPM_OMPSTATES(HPM_OMPSTATE_ENUMERATE) HPM_N_OMPSTATES,
    HPM_OMPSTATE_OUTSIDE = HPM_N_OMPSTATES
};

#endif
