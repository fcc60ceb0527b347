/* SPDX-License-Identifier: BSD-3-Clause
 * The team of a parallel region, as far as its threads must know of one another: when
 * the last of them came to the barrier at the region's end, and which one that was.
 *
 * A runtime lets its other threads wait in that barrier until the next region begins.
 * So a thread holds its team until then, to find the region's end; the memory of a team
 * that nobody holds goes to the next region of the thread that made it.  That memory is
 * never given back: a reader in another thread may look at it too late, and sees then
 * that the thread it reads has changed. */
#ifndef HPM_OPENMP_OMPTEAM_H
#define HPM_OPENMP_OMPTEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hpm_ompteam {
    _Atomic uint64_t ended; /* the clock at the region's end; 0: it goes on */
    atomic_uint users;
    atomic_uint n_threads;      /* 0: not known yet */
    atomic_uint n_come;         /* to the last barrier */
    _Atomic uint64_t come_sum;  /* of their clocks then */
    const void *caller;         /* where the program begins the region */
    struct hpm_ompteam *outer;  /* of the thread that began the region */
    int outer_number;           /* the same thread's number in it, */
    int outer_running;          /* and its state between waits */
    struct hpm_ompplace *place; /* the region's section; NULL: it has none */
    struct hpm_ompplace *outer_place; /* that is open in the same thread */
    struct hpm_ompteams *home;
    struct hpm_ompteam *next; /* in `home` */
};

/* The teams that nobody holds, of one thread.  Others put in, it takes out.  Start
 * from {0}. */
struct hpm_ompteams {
    struct hpm_ompteam *ready;            /* the thread's alone */
    struct hpm_ompteam *_Atomic returned; /* by any thread */
};

/* Is it asked which thread comes last?  It costs each thread of a region two atomic
 * steps. */
extern atomic_bool hpm_ompteam_tells_last __attribute__((visibility("hidden")));

/* Is it a team of two threads or more? */
static inline bool
hpm_ompteam_has_others(const struct hpm_ompteam *team)
{
    return atomic_load_explicit(&team->n_threads, memory_order_relaxed) > 1;
}

/* The calling thread comes to the last barrier at this clock.  True if it is the last
 * one: then *ret_waited is how long all others have waited, together. */
bool hpm_ompteam_come(struct hpm_ompteam *team, uint64_t now,
                      uint64_t *ret_waited);

/* A team that the calling thread begins, and holds; NULL when there is no memory. */
struct hpm_ompteam *hpm_ompteam_begin(struct hpm_ompteams *own);

static inline void
hpm_ompteam_hold(struct hpm_ompteam *team)
{
    if (team != NULL)
        atomic_fetch_add_explicit(&team->users, 1, memory_order_relaxed);
}

/* The thread that began the team gives it back. */
void hpm_ompteam_end(struct hpm_ompteams *own, struct hpm_ompteam *team);

/* Another thread does; NULL is allowed. */
void hpm_ompteam_release(struct hpm_ompteam *team);

#endif
