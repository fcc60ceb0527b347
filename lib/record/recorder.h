/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder: one recording of one process, from init to harvest. */
#ifndef HPM_RECORD_RECORDER_H
#define HPM_RECORD_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "model/experiment.h"
#include "record/problems.h"
#include "record/process.h"
#include "record/thread.h"
#include "source/clock.h"
#include "source/eventset.h"

struct hpm_recorder {
    const struct hpm_eventset *set;
    struct hpm_instant start;
    struct timespec start_date;
    struct hpm_problems *problems;
    struct hpm_process process;
    pthread_mutex_t lock; /* of the list, tids, and has_ended */
    struct hpm_thread *threads;
    int next_tid;
    atomic_bool is_closing; /* edges do nothing from now on */
    double ns_per_tick;     /* known after the harvest */
    struct hpm_recorder *inherited; /* a parent's, left as it was at fork */
};

/* Begin.  `set` must outlive the recorder; `say` prints one line,
 * *error_counter counts problems.  NULL when there is no memory. */
struct hpm_recorder *hpm_recorder_new(const struct hpm_eventset *set,
                                      void (*say)(const char *line),
                                      int *error_counter,
                                      struct hpm_error *err);

/* Free everything.  No thread may use it any more. */
void hpm_recorder_free(struct hpm_recorder *recorder);

/* Register the calling thread; NULL when there is no memory. */
struct hpm_thread *hpm_recorder_enter(struct hpm_recorder *recorder);

/* The calling thread ends. */
void hpm_recorder_leave(struct hpm_recorder *recorder,
                        struct hpm_thread *thread);

/* May the thread record?  If so it is busy until hpm_recorder_end_call.  A
 * call from a signal handler inside another call is dropped and counted. */
static inline bool
hpm_recorder_begin_call(struct hpm_recorder *recorder,
                        struct hpm_thread *thread)
{
    if (atomic_load_explicit(&thread->is_busy, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&thread->n_calls_in_calls, 1,
                                  memory_order_relaxed);
        return false;
    }
    atomic_store_explicit(&thread->is_busy, true, memory_order_relaxed);
    /* The harvest sets is_closing, makes all processors see it
     * (membarrier), and then looks at is_busy: so here the compiler must
     * keep the order, the processor need not. */
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&recorder->is_closing, memory_order_acquire))
        return true;
    atomic_store_explicit(&thread->is_busy, false, memory_order_release);
    return false;
}

static inline void
hpm_recorder_end_call(struct hpm_thread *thread)
{
    atomic_store_explicit(&thread->is_busy, false, memory_order_release);
}

/* End the recording; `self` is the calling thread's own part, which is not in
 * a call, or NULL.  No
 * edge counts from now on, open sections are closed, and all of it is put into
 * the experiment: counters, records, problems, and of the run its length,
 * resources and completeness.  Waits at most a second for threads inside a
 * call; what such a thread has is left out, and the run is not complete.
 * False when there is no memory. */
bool hpm_recorder_harvest(struct hpm_recorder *recorder,
                          const struct hpm_thread *self,
                          struct hpm_experiment *experiment,
                          struct hpm_error *err);

#endif
