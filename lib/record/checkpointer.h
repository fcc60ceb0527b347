/* SPDX-License-Identifier: BSD-3-Clause
 * The part of checkpoints (record/checkpoint.h) that section tables know: when
 * a table is due, and which function to call then.  They need not know more;
 * the checkpoint knows all tables.
 *
 * Each stop, and each start on the long way, compares the clock.  Only a table
 * that is due makes an indirect call, and that call measures itself, so its
 * cost is not charged to any section. */
#ifndef HPM_RECORD_CHECKPOINTER_H
#define HPM_RECORD_CHECKPOINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/calltree.h"

struct hpm_process;
struct hpm_thread;
struct hpm_threads;

/* The instant of a table that is due already.  A clock of 0 was not read, and
 * is before it. */
enum { HPM_CHECKPOINT_AT_ONCE = 1 };

/* A thread gets it from its recorder; the process's table and the folded
 * threads use that of the calling thread.  NULL: no checkpoints are made. */
struct hpm_checkpointer {
    /* Write the calling thread's table, and those of the process and the run if
     * they are due.  The thread is on the long way, which began with its
     * reading `begin`. */
    void (*put_due)(struct hpm_thread *thread, const uint64_t *begin);

    /* The same because of sections that were never written: without waiting for
     * the disk, and without the process. */
    void (*put_new)(struct hpm_thread *thread, const uint64_t *begin);

    /* Write the process's table, and the run if it is due.  Hold the lock of
     * the process; tree->now has the sample of this instant, taken by
     * `thread`. */
    void (*put_process)(struct hpm_process *process,
                        const struct hpm_thread *thread);

    /* Write the common table of folded threads, if it is due.  Hold the lock of
     * the threads. */
    void (*put_folded)(struct hpm_threads *threads);

    void (*free)(struct hpm_checkpointer *checkpointer);
};

/* Is a table due at this reading of the clock? */
static inline bool
hpm_checkpointer_is_due(const struct hpm_checkpointer *checkpointer,
                        const struct hpm_calltree *tree, uint64_t clock)
{
    return checkpointer != NULL && clock >= tree->put_due;
}

/* Has a table sections that were never written, and is it time to write them,
 * at a start with this reading of the clock?  In a large table a sixteenth of
 * the sections must be new, or else writing all again and again would take
 * longer and longer. */
static inline bool
hpm_checkpointer_is_wanted(const struct hpm_checkpointer *checkpointer,
                           const struct hpm_calltree *tree, uint64_t clock)
{
    enum { FEW = 256, PART = 16 };
    size_t n_new = tree->nodes.n - tree->n_put;

    return checkpointer != NULL && tree->put_due != UINT64_MAX && clock != 0 &&
           n_new > 0 && (tree->nodes.n <= FEW || n_new >= tree->nodes.n / PART);
}

#endif
