/* SPDX-License-Identifier: BSD-3-Clause
 * What a thread does in parallel regions and tasks, as its states: the same for runtimes
 * that tell a tool and for those whose calls are taken. */
#ifndef HPM_OPENMP_OMPREGION_H
#define HPM_OPENMP_OMPREGION_H

#include "openmp/ompthread.h"

/* The thread begins a region, called at `caller`; NULL: not known.  `code` is an
 * instruction whose line is the region's, or NULL.  The team is that of the region's
 * threads; NULL: there is no memory, and no times are kept any more. */
struct hpm_ompteam *hpm_ompregion_begin(struct hpm_ompthread *own,
                                        const void *caller, const void *code);

/* The same thread ends it, and is where it was before.  Nothing happens where the thread
 * has begun no region. */
void hpm_ompregion_end(struct hpm_ompthread *own);

/* A thread of the team begins to work in the region, with this number in the team of
 * `n_threads`; it ends. */
void hpm_ompregion_enter(struct hpm_ompthread *own, struct hpm_ompteam *team,
                         unsigned number, unsigned n_threads);
void hpm_ompregion_leave(struct hpm_ompthread *own);

/* The thread has done its work in the region, and waits in the barrier at the region's
 * end. */
void hpm_ompregion_arrive(struct hpm_ompthread *own);

/* The thread is through the barrier at the region's end: all have come, if it is the one
 * that began the region; else the next region begins. */
void hpm_ompregion_pass(struct hpm_ompthread *own);

/* A thread that the runtime has made has no work yet; it ends. */
void hpm_ompregion_begin_thread(struct hpm_ompthread *own);
void hpm_ompregion_end_thread(struct hpm_ompthread *own);

/* The team of the region that the thread is in, or was in last; NULL: none. */
static inline struct hpm_ompteam *
hpm_ompregion_team(const struct hpm_ompthread *own)
{
    return atomic_load_explicit(&own->team, memory_order_relaxed);
}

/* The thread begins to wait. */
static inline void
hpm_ompregion_wait(struct hpm_ompthread *own, enum hpm_ompstate state)
{
    hpm_ompthread_change(own, state, true);
}

/* It has what it waited for, and goes on. */
static inline void
hpm_ompregion_go_on(struct hpm_ompthread *own)
{
    own->has_waited = true;
    hpm_ompthread_change(own, own->running, false);
    own->has_waited = false;
}

#endif
