/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of an unmodified program and of all it starts (--sample), as the
 * profile of an experiment. */
#ifndef HPMCOUNT_PROFILER_H
#define HPMCOUNT_PROFILER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "hpmcount/callers.h"
#include "hpmcount/cpurings.h"
#include "hpmcount/mappings.h"
#include "model/experiment.h"
#include "source/sampling.h"

/* The profiler of one run.  Without sampling (NULL) only profiler_open does
 * anything. */
struct profiler {
    const struct hpm_sampling *sampling;
    struct cpurings rings;
    struct mappings mappings;
    struct callers callers;
    struct hpm_profile profile;
    struct profiler_entry {
        struct cpuring_record
            record; /* its words are its own copy, or NULL for a sample without
                     * callers */
        uint64_t address;
        size_t number; /* of equal times the smaller number is first */
    } * queue;         /* records read, but not to be processed yet */
    size_t n_queue, queue_capacity;
    size_t n_settled; /* combined hits of the profile */
    uint64_t next_ns; /* when to read the rings next */
    bool is_lacking;  /* there was no memory */
};

/* Sample the process from its exec on; start from {0}, clear in any case. */
bool profiler_open(struct profiler *profiler,
                   const struct hpm_sampling *sampling, pid_t pid,
                   struct hpm_error *err);

/* Read the rings if it is time. */
void profiler_look(struct profiler *profiler);

/* The program has ended: stop sampling. */
void profiler_end(struct profiler *profiler);

/* Give the profile to an experiment, for its first record. */
bool profiler_give(struct profiler *profiler,
                   struct hpm_experiment *experiment);

void profiler_clear(struct profiler *profiler);

#endif
