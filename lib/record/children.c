/* SPDX-License-Identifier: BSD-3-Clause
 * Children of the measured process: have the process's counters seen them? */
#include "record/children.h"

#include <time.h>

#include "base/string.h"
#include "source/source.h"
#include "source/usage.h"

enum { LEAST_NS = 1000000 }; /* less is not worth a report */

static uint64_t
own_ns(void)
{
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void
hpm_children_begin(struct hpm_children *children)
{
    children->own_ns = own_ns();
    getrusage(RUSAGE_CHILDREN, &children->waited);
}

/* The task-clock of the process since it was opened. */
static bool
read_task_clock(const struct hpm_meter *meter, uint64_t *ret_ns)
{
    uint64_t slots[HPM_MAX_SLOTS] = {0};

    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_event *event = &meter->set->events[i];

        if (!hpm_source_is_clock(event))
            continue;
        hpm_meter_read(meter, slots);
        *ret_ns = slots[1 + i];
        if (meter->events[i].state == HPM_STATE_COUNTED)
            return true;
    }
    return false;
}

/* Faults and switches since `before`: they decide how much is usually not
 * counted. */
static struct rusage
used_since(const struct rusage *before)
{
    struct rusage usage;

    hpm_usage_of_process(&usage); /* also has the waits of children; few faults
                                   * were before */
    usage.ru_minflt -= before->ru_minflt;
    usage.ru_majflt -= before->ru_majflt;
    usage.ru_nvcsw -= before->ru_nvcsw;
    usage.ru_nivcsw -= before->ru_nivcsw;
    return usage;
}

static bool
add_problem(struct hpm_experiment *experiment, uint64_t waited,
            uint64_t missing)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, "process sections may have missed a part of the "
                          "children: of ");
    hpm_string_add_fixed(&text, (double)waited / 1e9, 6);
    hpm_string_add(&text, " s of processor time they used the counters saw ");
    hpm_string_add_fixed(&text, (double)(waited - missing) / 1e9, 6);
    hpm_string_add(&text,
                   " s; the kernel counts no switch, no end of a process, "
                   "and none that gains privileges (set-user-ID)");
    return hpm_experiment_tell(experiment, &text);
}

static uint64_t
waited_ns(const struct hpm_children *children)
{
    struct rusage now;

    getrusage(RUSAGE_CHILDREN, &now);
    return hpm_usage_processor_ns(&now) -
           hpm_usage_processor_ns(&children->waited);
}

uint64_t
hpm_children_missing(const struct hpm_children *children,
                     const struct hpm_meter *meter)
{
    uint64_t seen, used;

    if (meter == NULL || hpm_meter_is_replayed(meter) ||
        !read_task_clock(meter, &seen))
        return 0;
    used = own_ns() - children->own_ns + waited_ns(children);
    return used > seen ? used - seen : 0;
}

bool
hpm_children_judge(const struct hpm_children *children,
                   const struct hpm_meter *meter,
                   struct hpm_experiment *experiment)
{
    uint64_t missing = hpm_children_missing(children, meter);
    uint64_t waited = waited_ns(children);
    struct rusage since;

    if (missing > waited) /* the rest was used by the process itself */
        missing = waited;
    since = used_since(&children->waited);
    if (missing < LEAST_NS || missing < waited / 10 ||
        missing <= hpm_usage_uncounted_ns(&since))
        return true;
    return add_problem(experiment, waited, missing);
}
