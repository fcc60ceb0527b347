/* SPDX-License-Identifier: BSD-3-Clause
 * What a thread does in parallel regions, as its states. */
#include "openmp/ompregion.h"

#include "base/mark.h"
#include "openmp/ompplace.h"
#include "openmp/ompwhole.h"

static bool
has_begun(const struct hpm_ompthread *own, const struct hpm_ompteam *team)
{
    return team != NULL && team->home == &own->teams;
}

/* The section of the region that the thread works in. */
static void
leave_place(struct hpm_ompthread *own)
{
    if (own->place == NULL)
        return;
    hpm_ompplace_leave(own->place);
    own->place = NULL;
}

static void
enter_place(struct hpm_ompthread *own, const struct hpm_ompteam *team)
{
    leave_place(own);
    own->place = team != NULL ? team->place : NULL;
    if (own->place != NULL)
        hpm_ompplace_enter(own->place);
}

static void
end_team(struct hpm_ompteam *team, uint64_t now)
{
    if (atomic_load_explicit(&team->ended, memory_order_relaxed) == 0)
        atomic_store_explicit(&team->ended, now, memory_order_release);
}

struct hpm_ompteam *
hpm_ompregion_begin(struct hpm_ompthread *own, const void *caller,
                    const void *code)
{
    struct hpm_ompteam *team = hpm_ompteam_begin(&own->teams);

    if (team == NULL) {
        hpm_ompthread_lose(
            N_("out of memory for what OpenMP tells of its threads"));
        return NULL;
    }
    team->caller = caller;
    team->place =
        atomic_load_explicit(&hpm_ompplace_is_on, memory_order_relaxed)
            ? hpm_ompplace_find(code)
            : NULL;
    team->outer_place = own->place;
    own->place = NULL;
    team->outer = hpm_ompregion_team(own);
    if (team->outer == NULL)
        atomic_store_explicit(&own->begins_regions, true, memory_order_relaxed);
    team->outer_number = own->number;
    team->outer_running = (int)own->running;
    own->running = HPM_OMPSTATE_FORK;
    hpm_ompthread_change_team(own, HPM_OMPSTATE_FORK, true, team, false);
    return team;
}

/* A region may have begun before times were kept. */
void
hpm_ompregion_end(struct hpm_ompthread *own)
{
    struct hpm_ompteam *team = hpm_ompregion_team(own);

    if (!has_begun(own, team))
        return;
    leave_place(own);
    own->place = team->outer_place;
    own->running = (enum hpm_ompstate)team->outer_running;
    own->number = team->outer_number;
    end_team(team, hpm_ompthread_change_team(own, own->running, false,
                                             team->outer, false));
    hpm_ompteam_end(&own->teams, team);
}

/* The thread that begins a region has its team since then. */
void
hpm_ompregion_enter(struct hpm_ompthread *own, struct hpm_ompteam *team,
                    unsigned number, unsigned n_threads)
{
    own->running = HPM_OMPSTATE_WORK;
    own->is_after_single = false;
    own->number = team == NULL || team->outer != NULL ? -1 : (int)number;
    hpm_ompwhole_begin_thread();
    if (has_begun(own, team)) {
        hpm_ompthread_change(own, HPM_OMPSTATE_WORK, true);
    } else {
        hpm_ompteam_hold(team);
        hpm_ompthread_change_team(own, HPM_OMPSTATE_WORK, true, team, true);
    }
    if (team != NULL &&
        atomic_load_explicit(&team->n_threads, memory_order_relaxed) == 0)
        atomic_store_explicit(&team->n_threads, n_threads,
                              memory_order_relaxed);
    enter_place(own, team);
}

/* Who comes last is told while the section of the region is still open, so that it is
 * the region's. */
void
hpm_ompregion_arrive(struct hpm_ompthread *own)
{
    if (atomic_load_explicit(&hpm_ompteam_tells_last, memory_order_relaxed))
        hpm_ompthread_come(own);
    leave_place(own);
    hpm_ompregion_wait(own, HPM_OMPSTATE_REGION_BARRIER);
}

void
hpm_ompregion_leave(struct hpm_ompthread *own)
{
    leave_place(own);
    if (has_begun(own, hpm_ompregion_team(own))) {
        own->running = HPM_OMPSTATE_FORK;
        hpm_ompthread_change(own, HPM_OMPSTATE_FORK, false);
        return;
    }
    own->number = -1;
    own->running = HPM_OMPSTATE_SERIAL_IDLE;
    hpm_ompthread_change_team(own, HPM_OMPSTATE_SERIAL_IDLE, false, NULL, true);
}

void
hpm_ompregion_pass(struct hpm_ompthread *own)
{
    struct hpm_ompteam *team = hpm_ompregion_team(own);

    if (has_begun(own, team)) {
        own->running = HPM_OMPSTATE_FORK;
        end_team(team, hpm_ompthread_change(own, HPM_OMPSTATE_FORK, false));
    } else {
        own->running = HPM_OMPSTATE_SERIAL_IDLE;
        hpm_ompthread_change(own, HPM_OMPSTATE_SERIAL_IDLE, false);
    }
}

void
hpm_ompregion_begin_thread(struct hpm_ompthread *own)
{
    own->running = HPM_OMPSTATE_SERIAL_IDLE;
    hpm_ompthread_change(own, HPM_OMPSTATE_SERIAL_IDLE, false);
}

void
hpm_ompregion_end_thread(struct hpm_ompthread *own)
{
    own->running = HPM_OMPSTATE_OUTSIDE;
    hpm_ompthread_change_team(own, HPM_OMPSTATE_OUTSIDE, false, NULL, true);
    atomic_store(&own->begins_regions, false);
}
