/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's counters PAPI opens for us, known by their descriptors: so they
 * are closed on exec, and looked at before PAPI reads them.  Our own are in
 * host/descriptor.h. */
#ifndef HPM_SOURCE_PAPICOUNTERS_H
#define HPM_SOURCE_PAPICOUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Descriptors of counters, each with the identity it has for its life; the one
 * opened first comes first.  Start from {0}. */
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

/* All counters this process has open now.  False when there is no memory, or
 * no descriptor to look into /proc. */
bool hpm_papicounters_scan(struct hpm_papicounters *ret_counters,
                           struct hpm_error *err) __attribute__((cold));

/* Leave those out that are in `before`; close the others at the next exec. */
void hpm_papicounters_keep_new(struct hpm_papicounters *counters,
                               const struct hpm_papicounters *before)
    __attribute__((cold));

/* Is each still the counter it was?  The program may have closed it and opened
 * a file of its own. */
bool hpm_papicounters_are_there(const struct hpm_papicounters *counters);

/* Close those that are. */
void hpm_papicounters_close(struct hpm_papicounters *counters)
    __attribute__((cold));

#endif
