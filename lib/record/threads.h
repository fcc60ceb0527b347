/* SPDX-License-Identifier: BSD-3-Clause
 * All threads of a recording: their numbers, and the results of threads that
 * have ended. */
#ifndef HPM_RECORD_THREADS_H
#define HPM_RECORD_THREADS_H

#include <pthread.h>
#include <stdbool.h>

#include "record/thread.h"

enum { HPM_MAX_THREADS_DEFAULT = 1024 };

/* The kind of a thread's first call.  The work before its counters are open
 * takes the same number of instructions each time, but another one for each
 * kind. */
enum hpm_first_call {
    HPM_FIRST_BY_SITE, /* a start by a call site: a literal in C and C++ */
    HPM_FIRST_PLAIN,   /* any other call from C and C++ */
    HPM_FIRST_COUNTED, /* a call from other languages, with counted strings */
    HPM_N_FIRST_CALLS,
};

struct hpm_threads {
    pthread_mutex_t lock;    /* for all members, and for has_ended */
    struct hpm_thread *list; /* newest first */
    size_t n_registered;
    size_t n_with_records; /* later threads fold when they end */
    int next_tid;
    int *ahead; /* numbers above next_tid that are taken */
    size_t n_ahead;
    size_t ahead_capacity;
    uint64_t ended_overhead[HPM_MAX_CHARGED]; /* also added to without the
                                               * lock */
    /* How many threads have come and gone since the process scope is open, and
     * how much each of them adds to the process's counts beyond its own
     * charges: known once that was measured (session/lives.h). */
    size_t n_entered[HPM_N_FIRST_CALLS], n_left;
    uint64_t cost_of_entering[HPM_N_FIRST_CALLS][HPM_MAX_CHARGED];
    uint64_t cost_of_leaving[HPM_MAX_CHARGED];
    unsigned n_tries;        /* tries to measure it */
    bool is_asked;           /* threads are asked, by their flag has_process, to
                              * measure it now */
    atomic_bool is_counting; /* the process scope is open */
    bool is_sampling;        /* threads are sampled */
    struct hpm_thread *folded; /* all threads that folded, as one */
    size_t n_folded;
};

void hpm_threads_init(struct hpm_threads *threads, size_t n_with_records);
void hpm_threads_clear(struct hpm_threads *threads);

/* Give the calling thread's part a number and add it to the list. */
void hpm_threads_add(struct hpm_threads *threads, struct hpm_thread *thread);

/* The thread has ended (hpm_thread_end): keep it, or its results.  `thread` may
 * be freed, but its meter goes on: the caller charges its last reading
 * (hpm_threads_add_overhead).  True: the caller now owns the meter. */
bool hpm_threads_retire(struct hpm_threads *threads, struct hpm_thread *thread);

/* Add overhead of a thread that has ended, in one slot. */
static inline void
hpm_threads_add_overhead(struct hpm_threads *threads, size_t slot,
                         uint64_t amount)
{
    __atomic_fetch_add(&threads->ended_overhead[slot], amount,
                       __ATOMIC_RELAXED);
}

/* Count a thread that has come, or that has gone and charges nothing any
 * more. */
static inline void
hpm_threads_count(const struct hpm_threads *threads, size_t *counter)
{
    if (atomic_load_explicit(&threads->is_counting, memory_order_relaxed))
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* From now on ask `number` for the calling thread's number in a parallel region of the
 * first level, -1 elsewhere, and no longer the OpenMP runtime: that begins when it is
 * asked, and a tool of OpenMP may measure before the program wants that.  Call this
 * before there are threads. */
void hpm_threads_ask(int (*number)(void)) __attribute__((cold));

/* Is the cost of threads that come and go to be measured now?  If so, call
 * hpm_threads_end_try with the result. */
bool hpm_threads_begin_try(struct hpm_threads *threads);
void hpm_threads_end_try(struct hpm_threads *threads, bool is_done,
                         const atomic_bool *is_closing);

/* Take the lock from inside a call; false if the recorder is closing: then the
 * harvest has the lock and waits for the end of the call. */
bool hpm_threads_lock_in_call(struct hpm_threads *threads,
                              const atomic_bool *is_closing);

/* Call this right before another section of the process becomes the innermost:
 * samples in the threads' rings belong to the present one.  Returns the least of what
 * hpm_sampler_collect says. */
size_t hpm_threads_collect_samples(struct hpm_threads *threads);

/* Sum up the overhead of all threads but `except`, also of ended ones, in the
 * slots 1 to n - 1: time does not add up over threads. */
void hpm_threads_sum_overheads(struct hpm_threads *threads,
                               const struct hpm_thread *except,
                               uint64_t *ret_overheads, size_t n);

#endif
