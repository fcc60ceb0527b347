/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's own names of events: software events, the generic hardware
 * events and the cache table. */
#ifndef HPM_SOURCE_GENERIC_H
#define HPM_SOURCE_GENERIC_H

#include <stdbool.h>
#include <stddef.h>

#include "source/event.h"

struct hpm_generic {
    struct hpm_encoding encoding;
    char description[96];
    const char *unit;
    bool needs_kernel;   /* happens only inside the kernel */
    bool must_count;     /* cannot be 0 in a busy program */
    bool ignores_domain; /* counts user and kernel, whatever the user asks */
};

/* Look a name up: "task-clock", "cs", "sw::task-clock", "perf::TASK-CLOCK",
 * "PERF_COUNT_SW_TASK_CLOCK", "L1-dcache-load-misses" ... */
bool hpm_generic_find(const char *name, struct hpm_generic *ret_generic);

/* Every name, the software events first. */
void hpm_generic_list(void (*visit)(const char *name, void *context),
                      void *context);

#endif
