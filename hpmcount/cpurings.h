/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's samples of a program and all it starts: a ring of memory for each
 * processor, into which the kernel writes what happens there.  A program may move
 * from one processor to another, so records of several rings are to be brought into
 * the order of their times. */
#ifndef HPMCOUNT_CPURINGS_H
#define HPMCOUNT_CPURINGS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "source/perf.h"
#include "source/sampling.h"

struct cpuring {
    struct perf_event_mmap_page *page;
    size_t bytes; /* of its data, a power of two */
    int fds[HPM_MAX_SAMPLED];
    uint64_t identities[HPM_MAX_SAMPLED];
};

struct cpurings {
    const struct hpm_sampling *sampling;
    struct cpuring *rings;
    size_t n_rings;
    uint64_t *record; /* the one that is read now */
};

/* What the kernel says, its head left out.  `words` are borrowed, and what follows
 * them is 0. */
struct cpuring_record {
    uint32_t type; /* PERF_RECORD_... */
    uint16_t misc;
    const uint64_t *words;
    size_t n_words;
    size_t
        event; /* of the sampling; its number of events where that is not known */
    uint32_t pid, tid;
    uint64_t ns; /* CLOCK_MONOTONIC */
};

/* Sample the process from its exec on.  Where the user may lock no more memory, the
 * rings are smaller.  False when that cannot be done: err says why. */
bool cpurings_open(struct cpurings *rings, const struct hpm_sampling *sampling,
                   pid_t pid, struct hpm_error *err);

/* No more samples, from now on. */
void cpurings_stop(struct cpurings *rings);

/* Hand on what has come, in order for each ring. */
void cpurings_read(struct cpurings *rings,
                   void (*take)(void *context,
                                const struct cpuring_record *record),
                   void *context);

/* How much of an event there was, and how many of its samples are lost; false when
 * that is not known. */
bool cpurings_count(const struct cpurings *rings, size_t event,
                    struct hpm_perf_samples *ret_samples);

void cpurings_close(struct cpurings *rings);

#endif
