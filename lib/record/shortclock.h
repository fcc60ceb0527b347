/* SPDX-License-Identifier: BSD-3-Clause
 * A task-clock that misses a part of the processor time.
 *
 * The kernel stops it before a thread leaves its processor, and does not go on
 * before the thread is back: of a program that waits thousands of times it may have
 * seen a half.  Nor has it seen what children did that gained privileges. */
#ifndef HPM_RECORD_SHORTCLOCK_H
#define HPM_RECORD_SHORTCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "model/experiment.h"
#include "source/meter.h"

/* The processor time that the kernel charges a thread, beside its task-clock. */
struct hpm_shortclock {
    bool is_there;  /* a task-clock, or the like, is counted */
    clockid_t time; /* the kernel's clock of the thread, */
    uint64_t begin; /* and what it said when the run of the thread began */
};

/* The calling thread's; right before the meter's first reading. */
void hpm_shortclock_begin(struct hpm_shortclock *clock,
                          const struct hpm_meter *meter);

/* Any thread, while the clock's lives, right after the meter's last reading: how
 * much of the processor time from the first of these samples to the last is in no
 * task-clock.  All of it, for of threads that share their records the sum counts. */
uint64_t hpm_shortclock_missing(const struct hpm_shortclock *clock,
                                const struct hpm_meter *meter,
                                const uint64_t *first, const uint64_t *last);

/* Nobody has compared: what the records say themselves is all that is known. */
#define HPM_SHORTCLOCK_UNKNOWN UINT64_MAX

/* Judges the task-clocks of a record whose values are settled, of which `most_ns`
 * at most are missing; so much as chance makes of it counts as none.  Where the
 * record has user and system time, and these say that more than a tenth is, they are
 * lost, so that metrics are made of these; where it has not, they may be off by as
 * much.  False when there is no memory. */
bool hpm_shortclock_judge(struct hpm_experiment *experiment, size_t record,
                          const struct hpm_eventset *set, uint64_t most_ns);

/* Has the record user and system time, which stand in for a clock that is short? */
bool hpm_shortclock_has_times(const struct hpm_experiment *experiment,
                              size_t record, const struct hpm_eventset *set);

#endif
