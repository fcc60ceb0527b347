/* SPDX-License-Identifier: BSD-3-Clause
 * A check for task-clocks that miss a part of the processor time.
 *
 * The kernel stops a task-clock before a thread leaves its processor, and
 * restarts it after the thread is back: in a program that waits thousands of
 * times it may miss half of the time.  It also misses children that gained
 * privileges. */
#ifndef HPM_RECORD_SHORTCLOCK_H
#define HPM_RECORD_SHORTCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "model/experiment.h"
#include "source/meter.h"

/* The processor time that the kernel charges to a thread, to compare its
 * task-clock with. */
struct hpm_shortclock {
    bool is_there;  /* a task-clock, or a similar clock, is counted */
    clockid_t time; /* the kernel's clock of the thread */
    uint64_t begin; /* its time when the run of the thread began */
};

/* Begin with the calling thread, right before the meter's first reading. */
void hpm_shortclock_begin(struct hpm_shortclock *clock,
                          const struct hpm_meter *meter);

/* How much of the processor time between these two samples is missing in the
 * task-clock.  Call it right after the meter's last reading, from any thread,
 * while the clock's thread is alive.  Small amounts are not dropped: threads
 * that share their records add them up. */
uint64_t hpm_shortclock_missing(const struct hpm_shortclock *clock,
                                const struct hpm_meter *meter,
                                const uint64_t *first, const uint64_t *last);

/* The missing time is not known: only the records themselves can tell. */
#define HPM_SHORTCLOCK_UNKNOWN UINT64_MAX

/* Judge the task-clocks of a record whose values are settled; at most `most_ns`
 * are missing.  An amount that may be chance counts as nothing.  If the record
 * has user and system time, and these show that more than a tenth is missing,
 * the task-clocks are marked as lost, so that metrics use these times; without
 * them `most_ns` becomes the uncertainty.  False when there is no memory. */
bool hpm_shortclock_judge(struct hpm_experiment *experiment, size_t record,
                          const struct hpm_eventset *set, uint64_t most_ns);

/* Has the record user and system time, which can replace a clock that misses
 * time? */
bool hpm_shortclock_has_times(const struct hpm_experiment *experiment,
                              size_t record, const struct hpm_eventset *set);

#endif
