/* SPDX-License-Identifier: BSD-3-Clause
 * Tracepoints: places in the kernel that perf_event_open counts by number. */
#ifndef HPM_SOURCE_MACHINE_TRACEPOINT_H
#define HPM_SOURCE_MACHINE_TRACEPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The number of "system:event" in tracefs; false if it has none. */
bool hpm_tracepoint_find(const char *name, uint64_t *ret_id)
    __attribute__((cold));

/* Could this unknown name be a tracepoint's?  Then err says why it cannot be
 * found, and what to do. */
bool hpm_tracepoint_explain(const char *name, struct hpm_error *err)
    __attribute__((cold));

#endif
