/* SPDX-License-Identifier: BSD-3-Clause
 * What the kernel writes when a program enters or leaves a probed function: a group
 * of counters for each processor, of which each hit and each switch between threads
 * carries a reading, and a ring of memory for each processor. */
#ifndef HPMCOUNT_PROBERINGS_H
#define HPMCOUNT_PROBERINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "hpmcount/cpurings.h"
#include "hpmcount/tracefs.h"
#include "source/eventset.h"

/* What is recorded: entries; also returns; also counters at each of these, which
 * needs Linux 6.13, and the right to hear of the kernel's switches between threads. */
enum proberings_extent {
    PROBERINGS_CALLS,
    PROBERINGS_TIMES,
    PROBERINGS_COUNTS,
};

/* Besides the user's: entries and returns of each file, switches between threads,
 * ends of threads, and the moment before another program takes the place of this
 * one. */
enum { PROBERINGS_OWN = 2 * TRACEFS_MOST_FILES + 3 };

enum proberings_kind {
    PROBERINGS_ENTRY,
    PROBERINGS_BACK,
    PROBERINGS_SWITCH, /* or an end: only the counts matter */
    PROBERINGS_OTHER,  /* mappings, forks, ends: `other` */
};

struct proberings_record {
    enum proberings_kind kind;
    uint32_t pid, tid;
    uint64_t ns; /* CLOCK_MONOTONIC */
    size_t cpu;  /* number of the ring */
    const uint64_t
        *counts;      /* of the set's events that have a slot here, on this
                              * processor, of this thread */
    uint64_t address; /* of the probe, in the process */
    uint64_t stack;   /* stack pointer */
    uint64_t caller;  /* of an entry: the return address */
    bool
        is_tail; /* of an entry: another probed function has jumped here; set by
                   * prober.c */
    struct cpuring_record other;
};

struct proberings {
    const struct hpm_eventset *set;
    enum proberings_extent extent;
    size_t n_files; /* with events of their own */
    size_t n_own;   /* events beside the user's, in each ring */
    bool is_counted[HPM_MAX_ALL_EVENTS]; /* has the event a counter here? */
    size_t n_counted;
    struct proberings_ring {
        struct perf_event_mmap_page *page;
        size_t bytes;
        int fds[HPM_MAX_ALL_EVENTS + PROBERINGS_OWN];
        uint64_t identities[PROBERINGS_OWN]; /* entry, return ... */
        size_t n_fds;
    } * rings;
    size_t n_rings;
    uint64_t n_hits; /* records of entries and returns that were read */
    uint64_t *record;
};

/* Begin with the next exec of the process, or (`now`) at once.  False with the
 * reason; close in any case. */
bool proberings_open(struct proberings *rings, const struct hpm_eventset *set,
                     const struct tracefs *tracefs, pid_t pid, bool now,
                     enum proberings_extent extent, struct hpm_error *err);

/* Pass on all new records, in order for each ring; what they point to is valid
 * during the call. */
void proberings_read(struct proberings *rings,
                     void (*take)(void *context,
                                  const struct proberings_record *record),
                     void *context);

/* How many entries and returns the kernel has counted, and had no room for: it tells
 * of those itself only with the next record.  Ask after the last reading. */
uint64_t proberings_lost(const struct proberings *rings);

/* Was there no place for all events together in the processor?  Then nothing was
 * counted. */
bool proberings_failed(const struct proberings *rings);

void proberings_close(struct proberings *rings);

#endif
