/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's perf_event_open, and the meaning of its errors. */
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
    HPM_PERF_USER = 8,    /* allow reading in user space (page.h), if the PMU
                           * must be asked for that and can do it */
    HPM_PERF_GROUP = 4,   /* reading the leader gives the whole group, which
                           * counts from hpm_perf_enable_group on */
    HPM_PERF_CGROUP = 16, /* count a control group */
};

/* Open one counter of thread `pid` (0: the calling one) in the group of
 * `leader` (-1: a new group).  It is closed on exec, and its number is held
 * (host/descriptor.h) until hpm_perf_close or hpm_perf_drop.  Reading gives the
 * count (with HPM_PERF_GROUP: the number of counts), enabled and running time.
 * Returns a descriptor, or -1 with errno; EMFILE also if only the descriptors
 * reserved for the program are left. */
int hpm_perf_open(const struct hpm_event *event, pid_t pid, int leader,
                  unsigned flags);

/* Open a counter, as hpm_perf_open does, on one processor (-1: all): of all
 * that runs there (`pid` -1) or, with HPM_PERF_CGROUP, of the control group
 * whose open folder is `pid`. */
int hpm_perf_open_on(const struct hpm_event *event, pid_t pid, int cpu,
                     int leader, unsigned flags);

/* Sample the calling thread, once per `period` of the event (for a clock:
 * nanoseconds), from hpm_perf_enable on.  The caller maps the descriptor; a
 * sample has the event (PERF_SAMPLE_IDENTIFIER) and the address
 * (PERF_SAMPLE_IP).  With `tells_mappings` there are also records of what the
 * thread maps as executable.  A reader is woken at `n_waking` bytes.  Returns a
 * descriptor, as hpm_perf_open. */
int hpm_perf_open_samples(const struct hpm_event *event, uint64_t period,
                          bool tells_mappings, uint32_t n_waking);

/* Sample another process and what it starts, on one processor, from its next
 * exec on.  A sample has, in this order, PERF_SAMPLE_IDENTIFIER, IP, TID and
 * TIME (CLOCK_MONOTONIC); all other records end with TID, TIME and IDENTIFIER.
 * With `n_callers` above 0 PERF_SAMPLE_CALLCHAIN follows: the address outside
 * the kernel, and at most so many callers.  With `tells_all` there are also
 * records of what processes map as executable, of new processes and of new
 * names. */
int hpm_perf_open_program_samples(const struct hpm_event *event, pid_t pid,
                                  int cpu, uint64_t period, unsigned n_callers,
                                  bool tells_all);

/* The kernel's numbers for a sampled event. */
struct hpm_perf_samples {
    uint64_t count;   /* the event's count */
    bool counts_lost; /* n_lost is known (Linux 6.0) */
    uint64_t n_lost;  /* samples for which the ring had no room; the ring itself
                       * reports them only when it has room again */
};

/* False if the numbers cannot be read. */
bool hpm_perf_read_samples(int fd, struct hpm_perf_samples *ret_samples);

/* Start a counter that was opened stopped. */
void hpm_perf_enable(int fd);

/* From now on sample once per `period`, and begin with a whole one. */
void hpm_perf_set_period(int fd, uint64_t period);

/* The event that must lead the group of this one, if it needs a leader
 * (encoding.leader); it has no name. */
struct hpm_event hpm_perf_leader(const struct hpm_event *event);

/* Does the counter really count?  A hypervisor may offer a PMU that accepts
 * events and reads 0.  Runs a busy loop, for events that cannot be 0 in one. */
bool hpm_perf_counts(int fd);

/* Start the whole group of `leader`. */
void hpm_perf_enable_group(int leader);

/* Close the counter if the descriptor still is the counter with that identity:
 * the program may have closed it and opened another file. */
void hpm_perf_close(int fd, uint64_t identity);

/* Close a counter that was not used yet. */
void hpm_perf_drop(int fd);

/* The identity of a counter; 0 if the descriptor is no counter. */
uint64_t hpm_perf_identity(int fd);

#endif
