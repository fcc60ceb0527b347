/* SPDX-License-Identifier: BSD-3-Clause
 * What a section table knows of who puts it aside (record/checkpoint.h): when
 * that is due, and whom to call then.  The tables do not know more: what puts
 * them aside knows them all.
 *
 * A stop, and a start on the long way, compare; only what is due calls, and
 * that measures itself, so that an indirect call there costs nobody anything.
 */
#ifndef HPM_RECORD_CHECKPOINTER_H
#define HPM_RECORD_CHECKPOINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/calltree.h"

struct hpm_process;
struct hpm_thread;
struct hpm_threads;

/* The instant of a table that is due already.  Where no clock was read, which
 * is 0, nothing is. */
enum { HPM_CHECKPOINT_AT_ONCE = 1 };

/* A thread has it from its recorder, and the process's table and the folded
 * threads from the threads that call.  NULL: nothing is put aside. */
struct hpm_checkpointer {
    /* Put aside the calling thread's table, and the process's and the run where
     * they are due.  The thread is on the long way, which began with its
     * reading `begin`. */
    void (*put_due)(struct hpm_thread *thread, const uint64_t *begin);

    /* The same because of sections that were never put aside: without waiting
     * for the disk, and not the process. */
    void (*put_new)(struct hpm_thread *thread, const uint64_t *begin);

    /* Put aside the process's table, and the run where it is due, with the lock
     * of the process held and the sample of this instant, taken by `thread`, in
     * tree->now. */
    void (*put_process)(struct hpm_process *process,
                        const struct hpm_thread *thread);

    /* Put aside, if that is due, what folded threads have together; with the
     * lock of the threads held. */
    void (*put_folded)(struct hpm_threads *threads);

    void (*free)(struct hpm_checkpointer *checkpointer);
};

/* Is a table due at that reading of the clock? */
static inline bool
hpm_checkpointer_is_due(const struct hpm_checkpointer *checkpointer,
                        const struct hpm_calltree *tree, uint64_t clock)
{
    return checkpointer != NULL && clock >= tree->put_due;
}

/* Has a table sections that were never put aside, and is that to be done at the
 * start whose clock this is?  With many of them a sixteenth has to be new, or
 * putting all of them again and again would take longer and longer. */
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
