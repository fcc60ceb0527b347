/* SPDX-License-Identifier: BSD-3-Clause
 * The counters of running targets.
 *
 * A unit is a thread with all that it starts from then on, or a processor; each
 * unit has a meter.  A part has a row in the report: a thread, a core, or the
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
    int number;    /* of the thread, or of the core's first processor */
};

struct watch_unit {
    pid_t process, thread; /* -1 for a processor */
    int cpu;               /* -1 for a thread */
    size_t part;
    struct hpm_meter *meter;
};

struct watch {
    const struct targets *targets;
    const struct hpm_eventset *set;
    bool has_parts; /* a part for each thread or core; else one for all */
    struct watch_unit *units;
    size_t n_units, units_capacity;
    struct watch_part *parts;
    size_t n_parts, parts_capacity;
    size_t n_unsettled; /* threads that began while counters were opened and may
                         * be missing; 0: all are counted, each once */
};

/* Begin to count.  False when a target may not be counted at all or has ended,
 * or memory or descriptors run out.  Close in any case. */
bool watch_open(struct watch *ret_watch, const struct targets *targets,
                const struct hpm_eventset *set, bool has_parts,
                struct hpm_error *err);

/* The meter of one unit: all have the same slots. */
struct hpm_meter *watch_meter(const struct watch *watch);

/* Put the present counts into rows, one for each part, with the meter's number
 * of slots. */
void watch_read(const struct watch *watch, uint64_t *ret_rows);

void watch_close(struct watch *watch);

#endif
