/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's perf_event_open, and what its errors mean. */
#ifndef HPM_SOURCE_PERF_H
#define HPM_SOURCE_PERF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "source/event.h"

enum {
    HPM_PERF_INHERIT = 1, /* count what the thread starts, too */
    HPM_PERF_ON_EXEC = 2, /* begin at the next exec */
    HPM_PERF_USER = 8,    /* to be read in user space as well (page.h), where
                             that has to be said and can be */
    HPM_PERF_GROUP = 4,   /* the leader's read gives the whole group; it
                             counts from hpm_perf_enable_group on */
    HPM_PERF_CGROUP = 16, /* count a control group */
};

/* Open one counter of thread `pid` (0: the calling one) in the group of
 * `leader` (-1: a new one), closed on exec, and held (host/descriptor.h) until
 * one of the two calls below closes it.  A read gives the count (with
 * HPM_PERF_GROUP: the number of counts), enabled and running time.  Returns a
 * descriptor, or -1 with errno; EMFILE also when only a reserve for the program
 * itself is left. */
int hpm_perf_open(const struct hpm_event *event, pid_t pid, int leader,
                  unsigned flags);

/* The same on one processor only (-1: all), there of all that runs (`pid` -1)
 * or, with HPM_PERF_CGROUP, of the control group whose folder is open as
 * `pid`. */
int hpm_perf_open_on(const struct hpm_event *event, pid_t pid, int cpu,
                     int leader, unsigned flags);

/* Sample the calling thread, once in `period` of the event (of a clock: in so many
 * nanoseconds), from hpm_perf_enable on.  Its file is to be mapped: a sample says
 * which event it is of (PERF_SAMPLE_IDENTIFIER) and at which address it happened
 * (PERF_SAMPLE_IP).  With `tells_mappings` what the thread maps to be executed is
 * told, too.  A reader is woken at `n_waking` bytes.  Returns a descriptor as
 * hpm_perf_open. */
int hpm_perf_open_samples(const struct hpm_event *event, uint64_t period,
                          bool tells_mappings, uint32_t n_waking);

/* Sample another process and what it starts on one processor, from its next exec
 * on.  A sample says, in this order, what PERF_SAMPLE_IDENTIFIER, IP, TID and TIME
 * mean, in CLOCK_MONOTONIC; the last two and the first end all other records.  With
 * `n_callers` more than 0 PERF_SAMPLE_CALLCHAIN follows: where the program was outside
 * the kernel, and at most so many callers.  With `tells_all` what processes map to
 * be executed, start and become is told, too. */
int hpm_perf_open_program_samples(const struct hpm_event *event, pid_t pid,
                                  int cpu, uint64_t period, unsigned n_callers,
                                  bool tells_all);

/* What the kernel says of an event that is sampled. */
struct hpm_perf_samples {
    uint64_t count;   /* how much of it there was */
    bool counts_lost; /* Linux 6.0 */
    uint64_t n_lost;  /* samples for which its ring had no room: the ring itself
                         tells them only once it has room again */
};

/* False when it cannot be read. */
bool hpm_perf_read_samples(int fd, struct hpm_perf_samples *ret_samples);

/* Let a counter that does not count yet do it. */
void hpm_perf_enable(int fd);

/* From now on sample once in `period`, beginning with a whole one. */
void hpm_perf_set_period(int fd, uint64_t period);

/* The event that must lead the group of this one, which has one
 * (encoding.leader); without a name. */
struct hpm_event hpm_perf_leader(const struct hpm_event *event);

/* Does the counter count?  A busy loop shows it, for events that cannot be 0
 * in one; a hypervisor may hand out a PMU that accepts them and reads 0. */
bool hpm_perf_counts(int fd);

/* Let the whole group of `leader` count. */
void hpm_perf_enable_group(int leader);

/* Close the counter, but only if the descriptor still is the counter with
 * that identity: the program may have closed it and opened another file. */
void hpm_perf_close(int fd, uint64_t identity);

/* Close a counter nobody has used yet. */
void hpm_perf_drop(int fd);

/* Identity of a counter, 0 for a descriptor that is none. */
uint64_t hpm_perf_identity(int fd);

#endif
