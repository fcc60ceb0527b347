/* SPDX-License-Identifier: BSD-3-Clause
 * One thread of the measured program: its counters and its sections. */
#ifndef HPM_RECORD_THREAD_H
#define HPM_RECORD_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>

#include "record/forest.h"
#include "source/meter.h"

/* Written by its own thread only, while `is_busy`; read by the harvest once
 * the recorder is closing and the thread is not busy. */
struct hpm_thread {
    struct hpm_thread *next; /* in the recorder's list, newest first */
    struct hpm_meter *meter;
    struct hpm_forest *forest;
    uint64_t *first; /* the sample at registration */
    int tid;
    int omp; /* OpenMP's number when tid is another, else -1 */
    atomic_bool is_busy;
    bool has_ended; /* set under the recorder's lock */
    bool is_left_out; /* inside a call while the harvest was made */
    bool is_closed_by_other; /* open sections were read from another thread */
    atomic_ulong n_calls_in_calls; /* from signal handlers; dropped */
};

/* The calling thread's counters and an empty section table; NULL when there is
 * no memory. */
struct hpm_thread *hpm_thread_new(const struct hpm_eventset *set,
                                  struct hpm_problems *problems);
void hpm_thread_free(struct hpm_thread *thread);

/* The edges.  Only by the thread itself, marked busy. */
void hpm_thread_start(struct hpm_thread *thread, int instance, int parent,
                      const char *label, const char *file, int line,
                      const struct hpm_node *within);
void hpm_thread_stop(struct hpm_thread *thread, int instance,
                     const char *file, int line);

/* What the thread has used since it was registered, in a row of
 * meter->n_slots.  By the thread itself. */
void hpm_thread_read(struct hpm_thread *thread, uint64_t *ret_used);

/* Close what is open, read now.  By the thread itself, or (`is_other`) by the
 * harvest when the thread is not busy. */
void hpm_thread_close_sections(struct hpm_thread *thread, bool is_other);

/* The thread ends: keep what it measured, give its counters back. */
void hpm_thread_end(struct hpm_thread *thread);

#endif
