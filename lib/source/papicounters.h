/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's counters that PAPI opens for us, identified by their
 * descriptors: so we can close them on exec, and check them before PAPI reads
 * them.  Counters that we open ourselves are in host/descriptor.h. */
#ifndef HPM_SOURCE_PAPICOUNTERS_H
#define HPM_SOURCE_PAPICOUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Descriptors of counters, each with the counter's identity, which never
 * changes; sorted by age.  Start from {0}. */
struct hpm_papicounters {
    struct hpm_papicounter {
        int fd;
        uint64_t identity;
    } * list;
    size_t n;
    size_t capacity;
};

void hpm_papicounters_free(struct hpm_papicounters *counters)
    __attribute__((cold));

/* Find all counters this process has open now.  False if memory runs out, or
 * there is no descriptor left to read /proc. */
bool hpm_papicounters_scan(struct hpm_papicounters *ret_counters,
                           struct hpm_error *err) __attribute__((cold));

/* Remove the counters that are in `before`; let the others be closed on
 * exec. */
void hpm_papicounters_keep_new(struct hpm_papicounters *counters,
                               const struct hpm_papicounters *before)
    __attribute__((cold));

/* Is each descriptor still the counter it was?  The program may have closed it
 * and opened a file of its own with its number. */
bool hpm_papicounters_are_there(const struct hpm_papicounters *counters);

/* Close the counters whose descriptors are still theirs. */
void hpm_papicounters_close(struct hpm_papicounters *counters)
    __attribute__((cold));

#endif
