/* SPDX-License-Identifier: BSD-3-Clause
 * All threads of a recording: who has which number, what those that ended
 * leave behind. */
#ifndef HPM_RECORD_THREADS_H
#define HPM_RECORD_THREADS_H

#include <pthread.h>
#include <stdbool.h>

#include "record/thread.h"

enum { HPM_MAX_THREADS_DEFAULT = 1024 };

/* What call was a thread's first one.  What it does before its counters are open
 * takes as many instructions each time, but not by each call. */
enum hpm_first_call {
    HPM_FIRST_BY_SITE, /* a start by a call site: a literal in C and C++ */
    HPM_FIRST_PLAIN,   /* any other of C and C++ */
    HPM_FIRST_COUNTED, /* of other languages, with counted strings */
    HPM_N_FIRST_CALLS,
};

struct hpm_threads {
    pthread_mutex_t lock;    /* of all of it, and has_ended */
    struct hpm_thread *list; /* newest first */
    size_t n_registered;
    size_t n_with_records; /* from then on threads fold when they end */
    int next_tid;
    int *ahead; /* numbers from next_tid on that are taken */
    size_t n_ahead;
    size_t ahead_capacity;
    uint64_t ended_overhead[HPM_MAX_CHARGED]; /* also added to without lock */
    /* How many threads have come and gone since the process scope is open, and
     * what is in its counts of that, for each, beyond what they have charged
     * themselves: known once it was measured (session/lives.h). */
    size_t n_entered[HPM_N_FIRST_CALLS], n_left;
    uint64_t cost_of_entering[HPM_N_FIRST_CALLS][HPM_MAX_CHARGED];
    uint64_t cost_of_leaving[HPM_MAX_CHARGED];
    unsigned n_tries;        /* to measure it */
    bool is_asked;           /* by a thread's flag has_process, to do it now */
    atomic_bool is_counting; /* the process scope is open */
    bool is_sampling;        /* threads are sampled */
    struct hpm_thread *folded; /* all threads that folded, as one */
    size_t n_folded;
};

void hpm_threads_init(struct hpm_threads *threads, size_t n_with_records);
void hpm_threads_clear(struct hpm_threads *threads);

/* Number the calling thread's part and put it into the list. */
void hpm_threads_add(struct hpm_threads *threads, struct hpm_thread *thread);

/* The thread has ended (hpm_thread_end): keep it, or what it has measured.
 * `thread` may be freed, but not its meter, which goes on: the last reading of
 * it is to be charged (hpm_threads_add_overhead).  Is it nobody's from now on? */
bool hpm_threads_retire(struct hpm_threads *threads, struct hpm_thread *thread);

/* The overhead of a thread that has ended, in one slot. */
static inline void
hpm_threads_add_overhead(struct hpm_threads *threads, size_t slot,
                         uint64_t amount)
{
    __atomic_fetch_add(&threads->ended_overhead[slot], amount,
                       __ATOMIC_RELAXED);
}

/* A thread has come, or is gone, and charges nothing any more. */
static inline void
hpm_threads_count(const struct hpm_threads *threads, size_t *counter)
{
    if (atomic_load_explicit(&threads->is_counting, memory_order_relaxed))
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* Is to be measured what it costs that threads come and go?  Then it must be
 * said whether that was done. */
bool hpm_threads_begin_try(struct hpm_threads *threads);
void hpm_threads_end_try(struct hpm_threads *threads, bool is_done,
                         const atomic_bool *is_closing);

/* Take the lock, by a thread that is in a call; false once the recorder is
 * closing: the harvest has the lock and waits for the call's end. */
bool hpm_threads_lock_in_call(struct hpm_threads *threads,
                              const atomic_bool *is_closing);

/* Right before another section of the process is the innermost one: what all
 * threads have in their rings belongs to the one that is it now. */
void hpm_threads_collect_samples(struct hpm_threads *threads);

/* Sum of the charges of all threads but `except`, ended ones too, in the
 * slots 1 .. n-1: time does not add up over threads. */
void hpm_threads_sum_overheads(struct hpm_threads *threads,
                               const struct hpm_thread *except,
                               uint64_t *ret_overheads, size_t n);

#endif
