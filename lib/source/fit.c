/* SPDX-License-Identifier: BSD-3-Clause
 * Finds which events the hardware's counters can hold at once.  The kernel is
 * asked: it accepts no group that could never run as a whole.  Only the kernel
 * knows how many counters a PMU has, and which events each can count. */
#include "source/fit.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "base/mark.h"
#include "source/sysfs.h"
#include "source/kinds.h"
#include "source/perf.h"

/* The events of one PMU, opened as a group that never runs. */
struct trial {
    int fds[HPM_MAX_ALL_EVENTS + 1];
    size_t n_fds;
    struct hpm_string names; /* the events that fit, quoted */
    struct hpm_event leader; /* the leader that some events need */
    bool has_own_leader;
};

/* The PMU of an event; 0 if no PMU counts it.  The kernel's own names, vendors'
 * codes and events of the core PMU in sysfs are counted by the same
 * hardware. */
static uint32_t
pmu_of(const struct hpm_event *event, uint32_t core)
{
    uint32_t type = hpm_kinds_pmu(&event->encoding);

    if (event->source != &hpm_source_kernel)
        return 0;
    switch (type) {
    case PERF_TYPE_HARDWARE:
    case PERF_TYPE_HW_CACHE:
        return PERF_TYPE_RAW;
    case PERF_TYPE_SOFTWARE:
    case PERF_TYPE_TRACEPOINT:
    case PERF_TYPE_BREAKPOINT:
        return 0;
    default:
        return type == core ? PERF_TYPE_RAW : type;
    }
}

/* Is this event the group's leader already, because others need it? */
static bool
leads(const struct trial *trial, const struct hpm_event *event)
{
    return trial->has_own_leader &&
           event->encoding.type == trial->leader.encoding.type &&
           event->encoding.config == trial->leader.encoding.config;
}

/* Only EINVAL in a group says that the event does not fit: alone it was
 * accepted. */
static bool
fits(struct trial *trial, const struct hpm_event *event)
{
    int leader = trial->n_fds > 0 ? trial->fds[0] : -1;

    if (!leads(trial, event)) {
        int fd = hpm_perf_open(event, 0, leader, HPM_PERF_GROUP);

        if (fd >= 0)
            trial->fds[trial->n_fds++] = fd;
        else if (leader >= 0 && errno == EINVAL)
            return false;
    }
    hpm_string_add_format(&trial->names, "%s'%s'",
                          trial->names.length > 0 ? ", " : "", event->name);
    return true;
}

static void
refuse(struct hpm_event *event, const struct trial *trial)
{
    struct hpm_string reason = {0};

    hpm_string_add_format(
        &reason,
        N_("no counter is left beside %s; count it in another "
           "run (hpm campaign makes all runs), or let all "
           "take turns (hpmcount --share, "
           "HPM_SHARE=1), which gives estimates"),
        hpm_string_text(&trial->names));
    event->source = NULL;
    event->state = HPM_STATE_UNSCHEDULED;
    event->reason = reason.failed ? NULL : reason.text;
    if (reason.failed)
        hpm_string_free(&reason);
}

/* Close members before their leader. */
static void
end(struct trial *trial)
{
    while (trial->n_fds > 0)
        hpm_perf_drop(trial->fds[--trial->n_fds]);
    hpm_string_free(&trial->names);
}

/* If an event of the PMU needs a certain leader, open that as the leader of
 * all. */
static void
open_leader(struct trial *trial, const struct hpm_eventset *set, uint32_t pmu,
            uint32_t core)
{
    for (size_t i = 0; i < set->n_events && !trial->has_own_leader; i++) {
        const struct hpm_event *event = &set->events[i];
        int fd;

        if (pmu_of(event, core) != pmu || event->encoding.leader == 0)
            continue;
        trial->leader = hpm_perf_leader(event);
        fd = hpm_perf_open(&trial->leader, 0, -1, HPM_PERF_GROUP);
        if (fd >= 0)
            trial->fds[trial->n_fds++] = fd;
        trial->has_own_leader = fd >= 0;
    }
}

/* First try all events, so that the reason can name those that fit. */
static void
settle_pmu(struct hpm_eventset *set, uint32_t pmu, uint32_t core)
{
    struct trial trial = {0};
    bool is_refused[HPM_MAX_ALL_EVENTS] = {false};

    open_leader(&trial, set, pmu, core);
    for (size_t i = 0; i < set->n_events; i++)
        is_refused[i] = pmu_of(&set->events[i], core) == pmu &&
                        !fits(&trial, &set->events[i]);
    for (size_t i = 0; i < set->n_events; i++) {
        if (is_refused[i])
            refuse(&set->events[i], &trial);
    }
    end(&trial);
}

static size_t
count_of(const struct hpm_eventset *set, uint32_t pmu, uint32_t core,
         size_t end)
{
    size_t n = 0;

    for (size_t i = 0; i < end; i++)
        n += pmu_of(&set->events[i], core) == pmu;
    return n;
}

void
hpm_fit_settle(struct hpm_eventset *set)
{
    size_t n_elsewhere = count_of(set, 0, PERF_TYPE_RAW, set->n_events);
    int saved_errno = errno;
    uint32_t core;

    if (set->n_events - n_elsewhere < 2)
        return; /* one event always fits: no need to look for PMUs */
    core = hpm_sysfs_core_type();
    for (size_t i = 0; i < set->n_events && !set->takes_turns; i++) {
        uint32_t pmu = pmu_of(&set->events[i], core);

        /* each PMU once, at its first event */
        if (pmu != 0 && count_of(set, pmu, core, i) == 0 &&
            count_of(set, pmu, core, set->n_events) > 1)
            settle_pmu(set, pmu, core);
    }
    errno = saved_errno;
}
