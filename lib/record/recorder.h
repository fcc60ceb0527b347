/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder: one recording of one process, from init to harvest. */
#ifndef HPM_RECORD_RECORDER_H
#define HPM_RECORD_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "model/experiment.h"
#include "record/calibration.h"
#include "record/problems.h"
#include "record/process.h"
#include "record/threads.h"
#include "source/clock.h"
#include "source/eventset.h"
#include "source/modules.h"
#include "source/sampling.h"

struct hpm_checkpointer;

/* What to record. */
struct hpm_plan {
    const struct hpm_eventset *set;
    struct hpm_filter filter;
    size_t n_thread_records; /* threads beyond this number are folded into one
                              * when they end */
    struct hpm_sampling sampling;
};

struct hpm_recorder {
    const struct hpm_plan *plan;
    struct hpm_instant start;
    struct timespec start_date;
    uint64_t begin; /* ticks when the first thread was ready to measure */
    struct hpm_problems *problems;
    struct hpm_costs costs; /* of threads; zero until calibrated */
    struct hpm_final final; /* known after the harvest */
    struct hpm_final final_of_process;
    struct hpm_calibration calibrations[HPM_N_CALIBRATIONS];
    struct hpm_threads threads;
    struct hpm_process process;
    struct hpm_checkpointer *checkpointer; /* NULL: no checkpoints */
    struct hpm_modules modules;            /* modules that samples may be in */
    atomic_size_t n_not_sampled;           /* number of threads that could not
                                            * be sampled */
    atomic_bool is_closing;                /* from now on starts and stops do
                                            * nothing */
    double ns_per_tick;                    /* known after the harvest */
    struct hpm_recorder *inherited; /* a parent's recorder, unchanged since the
                                     * fork */
};

/* Make a recorder.  `plan` must outlive it; `say` prints one line,
 * *error_counter counts problems.  NULL when there is no memory. */
struct hpm_recorder *hpm_recorder_new(const struct hpm_plan *plan,
                                      void (*say)(const char *line),
                                      int *error_counter,
                                      struct hpm_error *err);

/* Free the recorder.  No thread may use it any more. */
void hpm_recorder_free(struct hpm_recorder *recorder);

/* Take the costs from the parent: a forked child is the same program, so
 * measuring costs the same. */
void hpm_recorder_inherit_costs(struct hpm_recorder *recorder,
                                const struct hpm_recorder *parent);

/* Open the counters of a thread that will be registered, if they can be opened
 * without waiting for other threads; else NULL. */
struct hpm_meter *hpm_recorder_open_meter(const struct hpm_recorder *recorder);

/* Register the calling thread, whose counters may be open already; NULL when
 * there is no memory. */
struct hpm_thread *hpm_recorder_enter(struct hpm_recorder *recorder,
                                      struct hpm_meter *meter);

/* End the registration: charge all of it to the thread. */
void hpm_recorder_end_entering(struct hpm_recorder *recorder,
                               struct hpm_thread *thread,
                               enum hpm_first_call call);

/* The calling thread ends. */
void hpm_recorder_leave(struct hpm_recorder *recorder,
                        struct hpm_thread *thread);

/* Around a fork: hold the turns of counters, so that a child inherits their
 * library in a consistent state.  False if there is nothing to hold; else
 * release it in the parent. */
bool hpm_recorder_hold_turns(void);
void hpm_recorder_release_turns(void);

/* Call this in the child's thread, if no counters were opened or closed during
 * the fork: their library forgets its state for this thread in the parent. */
void hpm_recorder_leave_parent(void);

/* The calling thread ends the process, and a call of its own never ends: a
 * signal handler that interrupted the call ends the process, or has left the
 * call by longjmp.  The thread's table may be half changed, so the thread is
 * left out of the harvest.  False if the call holds a lock that the harvest
 * needs. */
bool hpm_recorder_strand(struct hpm_recorder *recorder,
                         struct hpm_thread *thread);

/* May the thread record, as its `is_closing` says?  If so it is busy until
 * hpm_recorder_end_call.  A call from a signal handler inside another call is
 * dropped and counted. */
static inline bool
hpm_recorder_begin_edge(struct hpm_thread *thread,
                        const atomic_bool *is_closing)
{
    if (atomic_load_explicit(&thread->is_busy, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&thread->n_calls_in_calls, 1,
                                  memory_order_relaxed);
        return false;
    }
    atomic_store_explicit(&thread->is_busy, true, memory_order_relaxed);
    /* The harvest sets is_closing, makes all processors see it
     * (hpm_barrier_everywhere), and then looks at is_busy: so here the compiler
     * must keep the order, the processor need not. */
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(is_closing, memory_order_acquire))
        return true;
    atomic_store_explicit(&thread->is_busy, false, memory_order_release);
    return false;
}

static inline bool
hpm_recorder_begin_call(struct hpm_thread *thread)
{
    return hpm_recorder_begin_edge(thread, thread->is_closing);
}

static inline void
hpm_recorder_end_call(struct hpm_thread *thread)
{
    atomic_store_explicit(&thread->is_busy, false, memory_order_release);
}

/* The program ends: where sections last until then (lasting.h), threads other than
 * `self` end their runs before the library does anything more that takes time, and
 * their calls do nothing from now on.  A thread that is in a call is left to
 * hpm_recorder_harvest. */
void hpm_recorder_end_others(struct hpm_recorder *recorder,
                             const struct hpm_thread *self)
    __attribute__((cold));

/* End the recording.  `self` is the calling thread's own part, which is not in
 * a call, or NULL.  Starts and stops do nothing from now on, open sections are
 * closed, and the results are put into the experiment: counters, records,
 * problems, and the run's length, resources and completeness.  Waits at most a
 * second for threads inside a call; a thread that is still inside is left out,
 * and the run is not complete.  False when there is no memory. */
bool hpm_recorder_harvest(struct hpm_recorder *recorder,
                          struct hpm_thread *self,
                          struct hpm_experiment *experiment,
                          struct hpm_error *err) __attribute__((cold));

#endif
