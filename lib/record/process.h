/* SPDX-License-Identifier: BSD-3-Clause
 * Process scope: sections of all threads together, and of the children. */
#ifndef HPM_RECORD_PROCESS_H
#define HPM_RECORD_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "host/lock.h"
#include "record/calltree.h"
#include "record/children.h"
#include "record/threads.h"
#include "source/meter.h"

/* Opened at the first use, because its counters count the threads alive at that
 * moment and their descendants.  Any thread that starts or stops a section
 * reads them, so all members are under the lock.
 *
 * The overhead of its samples is the sum of all threads' overheads: the
 * process's counters contain the cost of measuring in each thread. */
struct hpm_process {
    struct hpm_lock
        *lock; /* own_lock, or the lock of the process that this is a trial
                * of */
    struct hpm_lock own_lock;
    const struct hpm_eventset *set;
    const struct hpm_filter *filter;
    struct hpm_threads *threads;
    struct hpm_problems *problems;
    struct hpm_costs costs;  /* only HPM_COST_SELF */
    struct hpm_meter *meter; /* NULL: not opened */
    struct hpm_children children;
    struct hpm_calltree *tree;
    bool is_opened; /* or opening was tried and failed */
    int opener;     /* tid of the thread that opened it */
    bool is_late;   /* opened so long after init that its counts do not cover
                     * its run, which begins at init */
    hpm_sampler_within innermost;  /* for thread records */
    struct hpm_journal_table kept; /* the copy of its table in the journal */
};

void hpm_process_init(struct hpm_process *process,
                      const struct hpm_eventset *set,
                      const struct hpm_filter *filter,
                      struct hpm_threads *threads,
                      struct hpm_problems *problems);
void hpm_process_clear(struct hpm_process *process);

/* Make `trial` a second table for the counters of a process that is open: for a
 * calibration, by the calling thread alone.  Do not clear it: it owns
 * nothing. */
void hpm_process_init_trial(struct hpm_process *trial,
                            struct hpm_process *process,
                            struct hpm_calltree *tree,
                            struct hpm_problems *problems);

/* Is the process open, and its lock free within a second? */
bool hpm_process_is_usable(struct hpm_process *process);

/* Open the counters; once, before any start. */
void hpm_process_open(struct hpm_process *process);

/* An empty table for samples of the process; NULL when there is no memory. */
struct hpm_calltree *hpm_process_new_calltree(const struct hpm_process *process,
                                              const struct hpm_costs *costs,
                                              const struct hpm_filter *filter);

/* Start and stop a section.  Any thread may call these, and is charged with
 * their cost.  A section that another thread has open is not started again:
 * this is reported, counted and ignored. */
void hpm_process_start(struct hpm_process *process, struct hpm_thread *thread,
                       int instance, int parent, const char *label,
                       const char *file, int line);
void hpm_process_stop(struct hpm_process *process, struct hpm_thread *thread,
                      int instance, const char *file, int line);

/* Add work to an open section; false when it is not open. */
bool hpm_process_add_work(struct hpm_process *process, int instance,
                          uint64_t amount, const char *unit);

/* Take a sample into tree->now, with the overhead of all threads.  Hold the
 * lock.  `thread` is the calling one; its present call began with its reading
 * `begin`. */
void hpm_process_sample(struct hpm_process *process, struct hpm_thread *thread,
                        const uint64_t *begin);

/* Begin the run, right after that thread opened the process. */
void hpm_process_begin_run(struct hpm_process *process,
                           struct hpm_thread *thread);

/* How long the run lasted before its counting began, in ticks, while the run
 * goes on; 0 if that is only a small part of the run. */
uint64_t hpm_process_uncounted(const struct hpm_process *process,
                               uint64_t init);

/* End the run and close open sections.  `self` is the calling thread's own
 * part, or NULL; `init` is the clock when measuring began, in ticks.  False
 * when a thread kept the lock for a second: then no member may be read. */
bool hpm_process_end_run(struct hpm_process *process,
                         const struct hpm_thread *self, uint64_t init);

#endif
