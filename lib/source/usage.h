/* SPDX-License-Identifier: BSD-3-Clause
 * Resource usage: what getrusage and /proc/self/io say. */
#ifndef HPM_SOURCE_USAGE_H
#define HPM_SOURCE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "source/event.h"

/* One line of the resource block, in the order of getrusage(2). */
struct hpm_usage_field {
    const char *name;        /* "ru::utime" */
    const char *description; /* for people: "user time" */
    const char *unit;        /* "ns", "kB", "" */
    bool is_known;           /* false: Linux does not keep it */
};

enum { HPM_USAGE_FIELDS = 15 };

extern const struct hpm_usage_field hpm_usage_fields[HPM_USAGE_FIELDS];

/* The value of a field; times in nanoseconds. */
uint64_t hpm_usage_value(const struct rusage *usage, size_t field);

/* Is it an event of this source that getrusage answers?  Then its value is
 * that of `usage`. */
bool hpm_usage_take(const struct hpm_event *event, const struct rusage *usage,
                    uint64_t *ret_value);

/* User and system time. */
uint64_t hpm_usage_processor_ns(const struct rusage *usage);

/* So much of it is usually in no counter of the kernel, though nothing was
 * taken away: from Linux 6.16 on a task loses its counters before its memory is
 * taken apart.  Measured on 6.18: 0.8 to 1.2 us per page fault of small
 * processes, 0.3 us per page of large ones, up to 16 us per wait for a disk. */
uint64_t hpm_usage_uncounted_ns(const struct rusage *usage);

/* Take off what was used before; sizes, which are no sums, stay.  A value that
 * would be below 0 is 0. */
void hpm_usage_take_off(struct rusage *usage, const struct rusage *before);

/* Usage of this process and of the children it has waited for. */
void hpm_usage_of_process(struct rusage *ret_usage);

#endif
