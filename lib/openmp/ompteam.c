/* SPDX-License-Identifier: BSD-3-Clause
 * The team of a parallel region. */
#include "openmp/ompteam.h"

#include "host/memory.h"

atomic_bool hpm_ompteam_tells_last;

/* The thread takes all that came back at once, so that no other thread can put a team
 * in while this one takes the same out. */
static struct hpm_ompteam *
take_ready(struct hpm_ompteams *own)
{
    struct hpm_ompteam *team;

    if (own->ready == NULL)
        own->ready = atomic_exchange_explicit(&own->returned, NULL,
                                              memory_order_acquire);
    team = own->ready;
    if (team != NULL)
        own->ready = team->next;
    return team;
}

struct hpm_ompteam *
hpm_ompteam_begin(struct hpm_ompteams *own)
{
    struct hpm_ompteam *team = take_ready(own);

    if (team == NULL)
        team = hpm_memory_new(1, sizeof *team);
    if (team == NULL)
        return NULL;
    team->home = own;
    atomic_store_explicit(&team->ended, 0, memory_order_relaxed);
    atomic_store_explicit(&team->users, 1, memory_order_relaxed);
    atomic_store_explicit(&team->n_threads, 0, memory_order_relaxed);
    atomic_store_explicit(&team->n_come, 0, memory_order_relaxed);
    atomic_store_explicit(&team->come_sum, 0, memory_order_relaxed);
    return team;
}

/* The sum may pass the largest number: the difference is right all the same.  A clock
 * that was read before that of another thread may be added after it, so the last
 * thread's may be less by some ticks. */
bool
hpm_ompteam_come(struct hpm_ompteam *team, uint64_t now, uint64_t *ret_waited)
{
    unsigned n = atomic_load_explicit(&team->n_threads, memory_order_relaxed);
    uint64_t sum = now + atomic_fetch_add_explicit(&team->come_sum, now,
                                                   memory_order_relaxed);

    if (atomic_fetch_add_explicit(&team->n_come, 1, memory_order_acq_rel) + 1 !=
        n)
        return false;
    *ret_waited = (int64_t)(n * now - sum) > 0 ? n * now - sum : 0;
    return true;
}

/* Where nobody else holds it, and nobody can any more, no other thread needs to see
 * that: most teams of one thread, and those whose threads have gone on. */
void
hpm_ompteam_end(struct hpm_ompteams *own, struct hpm_ompteam *team)
{
    if (atomic_load_explicit(&team->users, memory_order_acquire) > 1) {
        hpm_ompteam_release(team);
        return;
    }
    team->next = own->ready;
    own->ready = team;
}

void
hpm_ompteam_release(struct hpm_ompteam *team)
{
    struct hpm_ompteams *home;

    if (team == NULL ||
        atomic_fetch_sub_explicit(&team->users, 1, memory_order_acq_rel) > 1)
        return;
    home = team->home;
    team->next = atomic_load_explicit(&home->returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&home->returned, &team->next,
                                                  team, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}
