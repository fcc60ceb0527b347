/* SPDX-License-Identifier: BSD-3-Clause
 * Resource usage: getrusage and /proc/self/io. */
#ifndef HPM_SOURCE_USAGE_H
#define HPM_SOURCE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "source/event.h"

/* One field of getrusage; they are in the order of getrusage(2). */
struct hpm_usage_field {
    const char *name;        /* "ru::utime" */
    const char *description; /* for people: "user time" */
    const char *unit;        /* "ns", "kB", "" */
    bool is_known;           /* false: Linux does not count it */
};

enum { HPM_USAGE_FIELDS = 15 };

extern const struct hpm_usage_field hpm_usage_fields[HPM_USAGE_FIELDS];

/* The value of a field; times in nanoseconds. */
uint64_t hpm_usage_value(const struct rusage *usage, size_t field);

/* Is this an event of this source that getrusage gives?  Then its value is
 * taken from `usage`. */
bool hpm_usage_take(const struct hpm_event *event, const struct rusage *usage,
                    uint64_t *ret_value);

/* The numbers in /proc/self/io: of this process and of the children it has
 * waited for. */
enum { HPM_USAGE_IO_FIELDS = 6 };
struct hpm_usage_io {
    bool is_known;
    uint64_t values[HPM_USAGE_IO_FIELDS];
};

/* Read before and after a piece of work.  The values of the first reading
 * include that reading itself, those of the last do not: so their difference is
 * only the work. */
void hpm_usage_read_io(bool is_first, struct hpm_usage_io *ret_io);

/* Is this an event of this source that /proc/PID/io gives, and are both
 * readings known?  Then its value is that of a child which was waited for
 * between the two readings, and of the children that child had waited for.  The
 * child's own file cannot give it: from Linux 6.18.44 on only root may read it
 * once the child has ended, and a meter leaves such a value at 0. */
bool hpm_usage_take_io(const struct hpm_event *event,
                       const struct hpm_usage_io *before,
                       const struct hpm_usage_io *after, uint64_t *ret_value);

/* Is the event the maximum resident size? */
bool hpm_usage_is_peak(const struct hpm_event *event);

/* Is the event user or system time? */
bool hpm_usage_is_time(const struct hpm_event *event);

/* A task-clock may miss so much processor time by chance: a few ends of
 * processes take as much. */
enum { HPM_USAGE_SHORT_NS = 10000000 };

/* Has a task-clock missed too much of the processor time to be used for it?
 * Not if it missed less than a tenth, or less than chance explains. */
bool hpm_usage_is_clock_short(uint64_t used_ns, uint64_t seen_ns);

/* The reason why such a clock's value is lost. */
extern const char hpm_usage_short_clock[];

/* Is the event one of input and output? */
bool hpm_usage_is_io(const struct hpm_event *event);

/* User and system time together. */
uint64_t hpm_usage_processor_ns(const struct rusage *usage);

/* The processor time that usually no counter of the kernel has, though nothing
 * was taken away: from Linux 6.16 on a task loses its counters before its
 * memory is freed.  Measured on 6.18: 0.8 to 1.2 us per page fault of small
 * processes, 0.3 us per page of large ones, up to 16 us per wait for a disk. */
uint64_t hpm_usage_uncounted_ns(const struct rusage *usage);

/* Subtract what was used before; sizes, which are no sums, stay.  A value below
 * 0 becomes 0. */
void hpm_usage_take_off(struct rusage *usage, const struct rusage *before);

/* Usage of this process and of the children it has waited for. */
void hpm_usage_of_process(struct rusage *ret_usage);

#endif
