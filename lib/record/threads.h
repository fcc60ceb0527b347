/* SPDX-License-Identifier: BSD-3-Clause
 * All threads of a recording: who has which number, what those that ended
 * leave behind. */
#ifndef HPM_RECORD_THREADS_H
#define HPM_RECORD_THREADS_H

#include <pthread.h>
#include <stdbool.h>

#include "record/thread.h"

enum { HPM_MAX_THREADS_DEFAULT = 1024 };

struct hpm_threads {
    pthread_mutex_t lock;    /* of all of it, and has_ended */
    struct hpm_thread *list; /* newest first */
    size_t n_registered;
    size_t n_with_records; /* from then on threads fold when they end */
    int next_tid;
    int *ahead; /* numbers from next_tid on that are taken */
    size_t n_ahead;
    size_t ahead_capacity;
    uint64_t ended_overhead[HPM_MAX_CHARGED];
    struct hpm_thread *folded; /* all threads that folded, as one */
    size_t n_folded;
};

void hpm_threads_init(struct hpm_threads *threads, size_t n_with_records);
void hpm_threads_clear(struct hpm_threads *threads);

/* Number the calling thread's part and put it into the list. */
void hpm_threads_add(struct hpm_threads *threads, struct hpm_thread *thread);

/* The thread has ended (hpm_thread_end): keep it, or what it has measured. */
void hpm_threads_retire(struct hpm_threads *threads, struct hpm_thread *thread);

/* Sum of the charges of all threads but `except`, ended ones too, in the
 * slots 1 .. n-1: time does not add up over threads. */
void hpm_threads_sum_overheads(struct hpm_threads *threads,
                               const struct hpm_thread *except,
                               uint64_t *ret_overheads, size_t n);

#endif
