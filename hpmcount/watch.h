/* SPDX-License-Identifier: BSD-3-Clause
 * Counters of what runs already.
 *
 * A unit is a thread with what it starts from then on, or a processor; each has a
 * meter.  A part is what the report has a row for: a thread, a core, or the
 * whole; the counts of a part are the sums of its units. */
#ifndef HPMCOUNT_WATCH_H
#define HPMCOUNT_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "hpmcount/targets.h"
#include "source/eventset.h"
#include "source/meter.h"

struct watch_part {
    char name[64]; /* "worker", "core 3" */
    int number;    /* the thread's, or of the core's first processor */
};

struct watch_unit {
    pid_t process, thread; /* -1: a processor */
    int cpu;               /* -1: a thread */
    size_t part;
    struct hpm_meter *meter;
};

struct watch {
    const struct targets *targets;
    const struct hpm_eventset *set;
    bool has_parts; /* one for each thread or core, not one for all */
    struct watch_unit *units;
    size_t n_units, units_capacity;
    struct watch_part *parts;
    size_t n_parts, parts_capacity;
    size_t n_unsettled; /* threads that began while counters were opened and may
                           be missing; 0: all are counted, and none twice */
};

/* Begin to count.  False when nothing of a target may be counted, it has ended,
 * or memory or descriptors run out.  Close in any case. */
bool watch_open(struct watch *ret_watch, const struct targets *targets,
                const struct hpm_eventset *set, bool has_parts,
                struct hpm_error *err);

/* Of any unit: they all have the same slots. */
struct hpm_meter *watch_meter(const struct watch *watch);

/* Put the counts of this instant into rows of as many slots as the meter has,
 * one for each part. */
void watch_read(const struct watch *watch, uint64_t *ret_rows);

void watch_close(struct watch *watch);

#endif
