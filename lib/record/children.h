/* SPDX-License-Identifier: BSD-3-Clause
 * Children of the measured process: have the process's counters seen them? */
#ifndef HPM_RECORD_CHILDREN_H
#define HPM_RECORD_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "model/experiment.h"
#include "source/meter.h"

/* What had been used when the process's counters began. */
struct hpm_children {
    uint64_t own_ns;      /* by the process's threads */
    struct rusage waited; /* by children it had waited for */
};

/* The process's counters begin now. */
void hpm_children_begin(struct hpm_children *children);

/* So much of the processor time that the kernel charged the process and the children
 * it has waited for since then is not in its task-clock; 0 without one. */
uint64_t hpm_children_missing(const struct hpm_children *children,
                              const struct hpm_meter *meter);

/* At the end: where the processor time the kernel charged for children since
 * then is more than the process's task-clock (which must be among the events:
 * without it nothing is known) has counted, a problem of the experiment says
 * so.  False when there is no memory. */
bool hpm_children_judge(const struct hpm_children *children,
                        const struct hpm_meter *meter,
                        struct hpm_experiment *experiment);

#endif
