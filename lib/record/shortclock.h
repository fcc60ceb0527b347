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
    bool is_there;  /* a task-clock is counted */
    size_t slot;    /* in which it is */
    clockid_t time; /* the kernel's clock of the thread, */
    uint64_t begin; /* and what it said when the run of the thread began */
};

/* The calling thread's; right before the meter's first reading. */
void hpm_shortclock_begin(struct hpm_shortclock *clock,
                          const struct hpm_meter *meter);

/* Any thread, while the clock's lives, right after the meter's last reading: how
 * much of the processor time from the first of these samples to the last is in no
 * task-clock.  0 unless that is more than a tenth, and more than chance makes of
 * it. */
uint64_t hpm_shortclock_missing(const struct hpm_shortclock *clock,
                                const uint64_t *first, const uint64_t *last);

/* Judges the task-clock of a record whose values are settled, of which `most_ns` at
 * most are missing.  Where the record has user and system time, and these say that
 * more than a tenth is, it is lost, so that metrics are made of these; where it has
 * not, it may be off by as much.  False when there is no memory. */
bool hpm_shortclock_judge(struct hpm_experiment *experiment, size_t record,
                          const struct hpm_eventset *set, uint64_t most_ns);

#endif
