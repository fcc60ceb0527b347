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

/* What /proc/self/io says: of this process and of the children it has waited
 * for. */
enum { HPM_USAGE_IO_FIELDS = 6 };
struct hpm_usage_io {
    bool is_known;
    uint64_t values[HPM_USAGE_IO_FIELDS];
};

/* What reading it adds is in the values of the first already, and in those of the
 * last not yet: between the two nothing is added but what is done there. */
void hpm_usage_read_io(bool is_first, struct hpm_usage_io *ret_io);

/* Is it an event of this source that /proc/PID/io answers, and are both known?
 * Then its value is that of a child which was waited for between the two, and of
 * the children it had waited for.  The child's own file cannot tell that: from
 * Linux 6.18.44 on only root may read it once the child has ended, and a meter
 * leaves such a value at 0. */
bool hpm_usage_take_io(const struct hpm_event *event,
                       const struct hpm_usage_io *before,
                       const struct hpm_usage_io *after, uint64_t *ret_value);

/* Is it that of the largest size? */
bool hpm_usage_is_peak(const struct hpm_event *event);

/* Is it user or system time? */
bool hpm_usage_is_time(const struct hpm_event *event);

/* No more than this of a processor time may be in no task-clock by chance: a few
 * ends of processes take as much. */
enum { HPM_USAGE_SHORT_NS = 10000000 };

/* Has a task-clock seen too little of the processor time to stand for it?  Where
 * it misses less than a tenth, or than chance makes, it does. */
bool hpm_usage_is_clock_short(uint64_t used_ns, uint64_t seen_ns);

/* The reason why it is lost then. */
extern const char hpm_usage_short_clock[];

/* Is it one of i/o? */
bool hpm_usage_is_io(const struct hpm_event *event);

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
