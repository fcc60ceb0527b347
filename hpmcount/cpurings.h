/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's samples of a program and of all it starts: one ring of memory
 * for each processor, to which the kernel writes what happens there.  A program
 * may move to another processor, so records of several rings must be sorted by
 * time. */
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
    size_t bytes; /* of its data; a power of two */
    int fds[HPM_MAX_SAMPLED];
    uint64_t identities[HPM_MAX_SAMPLED];
};

struct cpurings {
    const struct hpm_sampling *sampling;
    struct cpuring *rings;
    size_t n_rings;
    uint64_t *record; /* the record being read */
};

/* A record of the kernel, without its head.  `words` are borrowed, and a zero
 * follows them. */
struct cpuring_record {
    uint32_t type; /* PERF_RECORD_... */
    uint16_t misc;
    const uint64_t *words;
    size_t n_words;
    size_t event; /* in the sampling; its number of events if not known */
    uint32_t pid, tid;
    uint64_t ns; /* CLOCK_MONOTONIC */
};

/* Sample the process from its exec on.  The rings are smaller where the user
 * may not lock so much memory.  False with the reason on failure. */
bool cpurings_open(struct cpurings *rings, const struct hpm_sampling *sampling,
                   pid_t pid, struct hpm_error *err);

/* Stop sampling. */
void cpurings_stop(struct cpurings *rings);

/* Pass on all new records, in order for each ring. */
void cpurings_read(struct cpurings *rings,
                   void (*take)(void *context,
                                const struct cpuring_record *record),
                   void *context);

/* The total of an event, and the number of its lost samples; false when these
 * are not known. */
bool cpurings_count(const struct cpurings *rings, size_t event,
                    struct hpm_perf_samples *ret_samples);

void cpurings_close(struct cpurings *rings);

#endif
