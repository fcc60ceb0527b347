/* SPDX-License-Identifier: BSD-3-Clause
 * What a library that brings libhpm a source keeps of each thread.  A part stays when
 * its thread ends, so that the sums of a process only grow; another thread may go on
 * with that part. */
#ifndef HPM_BROUGHT_PARTS_H
#define HPM_BROUGHT_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The first member of what is kept. */
struct hpm_part {
    atomic_uint users; /* the thread, and countings that read the part; 0: free
                        * for another thread */
    struct hpm_part *next;
};

/* Static, and all zero until hpm_parts_begin. */
struct hpm_parts {
    struct hpm_part *_Atomic first; /* never taken out */
    size_t size;                    /* of what is kept of a thread */
    pthread_key_t key;              /* its destructor runs when a thread ends */
    bool has_key;
    void (*begin)(void *part);
};

/* Once: `begin` fills in a new part, whose bytes are 0, before any other thread can read
 * the part; `leave` is called with its part at the end of a thread, and must release the
 * part; `after_fork` in a forked child, which has the calling thread alone. */
void hpm_parts_begin(struct hpm_parts *parts, size_t size,
                     void (*begin)(void *part), void (*leave)(void *part),
                     void (*after_fork)(void));

/* A part for the calling thread: one that is free, else a new one.  NULL when there is no memory, or no thread-specific key, without which nobody would
 * hear of the thread's end. */
struct hpm_part *hpm_parts_take(struct hpm_parts *parts);

/* Keep the part as it is when its thread ends; give it back. */
void hpm_part_hold(struct hpm_part *part);
void hpm_part_release(struct hpm_part *part);

#endif
