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

/* Opened at the first use, because it counts the threads there are at that
 * moment and what they start.  Its counters are read by whichever thread makes
 * an edge, so all of it is under the lock.
 *
 * The overhead of its samples is the sum of all threads' overheads: what measuring
 * cost any of them is in the process's counters. */
struct hpm_process {
    struct hpm_lock
        *lock; /* its own, or that of the process it is a trial of */
    struct hpm_lock own_lock;
    const struct hpm_eventset *set;
    const struct hpm_filter *filter;
    struct hpm_threads *threads;
    struct hpm_problems *problems;
    struct hpm_costs costs;  /* only HPM_COST_SELF */
    struct hpm_meter *meter; /* NULL: not opened */
    struct hpm_children children;
    struct hpm_calltree *tree;
    bool is_opened; /* or was tried in vain */
    int opener;     /* tid of the thread that opened it */
    bool is_late;   /* opened so long after init that its run, which begins
                    * there, is not what was counted */
    hpm_sampler_within innermost;  /* for thread records */
    struct hpm_journal_table kept; /* where its sections are put aside */
};

void hpm_process_init(struct hpm_process *process,
                      const struct hpm_eventset *set,
                      const struct hpm_filter *filter,
                      struct hpm_threads *threads,
                      struct hpm_problems *problems);
void hpm_process_clear(struct hpm_process *process);

/* Another table for the counters of a process that is open: a calibration's, for
 * the calling thread alone.  It is not to be cleared, nothing in it is its
 * own. */
void hpm_process_init_trial(struct hpm_process *trial,
                            struct hpm_process *process,
                            struct hpm_calltree *tree,
                            struct hpm_problems *problems);

/* Is it open, and its lock to be had within a second? */
bool hpm_process_is_usable(struct hpm_process *process);

/* Start counting; once, before any edge. */
void hpm_process_open(struct hpm_process *process);

/* An empty table for samples of the process; NULL when there is no memory. */
struct hpm_calltree *hpm_process_new_calltree(const struct hpm_process *process,
                                              const struct hpm_costs *costs,
                                              const struct hpm_filter *filter);

/* The edges; by any thread, which is charged with what they cost it.  A
 * section another thread has open is not started again: said, counted and
 * ignored. */
void hpm_process_start(struct hpm_process *process, struct hpm_thread *thread,
                       int instance, int parent, const char *label,
                       const char *file, int line);
void hpm_process_stop(struct hpm_process *process, struct hpm_thread *thread,
                      int instance, const char *file, int line);

/* Work for an open section; false when it is not open. */
bool hpm_process_add_work(struct hpm_process *process, int instance,
                          uint64_t amount, const char *unit);

/* With the lock held: take a sample into tree->now, with the overhead of all
 * threads.  `thread` is the calling one, which began what it is doing at its
 * reading `begin`. */
void hpm_process_sample(struct hpm_process *process, struct hpm_thread *thread,
                        const uint64_t *begin);

/* Its run begins, right after it was opened by that thread. */
void hpm_process_begin_run(struct hpm_process *process,
                           struct hpm_thread *thread);

/* How long before its counting the run began, where that is no small part of
 * it; in ticks, while the run goes on. */
uint64_t hpm_process_uncounted(const struct hpm_process *process,
                               uint64_t init);

/* The run ends here, and what is open is closed; `self` is the calling thread's
 * own part, or NULL, `init` the clock's ticks when measuring began.  False
 * when a thread kept the lock for a second: then nothing of it may be read. */
bool hpm_process_end_run(struct hpm_process *process,
                         const struct hpm_thread *self, uint64_t init);

#endif
