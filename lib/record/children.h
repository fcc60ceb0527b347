/* SPDX-License-Identifier: BSD-3-Clause
 * Children of the measured process: have the process's counters seen them? */
#ifndef HPM_RECORD_CHILDREN_H
#define HPM_RECORD_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "model/experiment.h"
#include "source/meter.h"

/* Times used before the process's counters began. */
struct hpm_children {
    uint64_t own_ns;      /* by the process's threads */
    struct rusage waited; /* by children that it had waited for */
};

/* Call this when the process's counters begin. */
void hpm_children_begin(struct hpm_children *children);

/* How much of the processor time that the kernel charged to the process and to
 * the children it waited for since hpm_children_begin is not in the process's
 * task-clock; 0 if no event is a task-clock. */
uint64_t hpm_children_missing(const struct hpm_children *children,
                              const struct hpm_meter *meter);

/* At the end: add a problem to the experiment if the kernel charged children
 * more processor time since hpm_children_begin than the process's task-clock
 * has counted.  Without a task-clock among the events nothing is known.  False
 * when there is no memory. */
bool hpm_children_judge(const struct hpm_children *children,
                        const struct hpm_meter *meter,
                        struct hpm_experiment *experiment);

#endif
