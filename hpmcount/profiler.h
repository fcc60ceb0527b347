/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of a program that nobody changed, and of all it starts (--sample): as
 * the profile of an experiment. */
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

/* Of one run.  All calls but the first do nothing where nothing is sampled (NULL). */
struct profiler {
    const struct hpm_sampling *sampling;
    struct cpurings rings;
    struct mappings mappings;
    struct callers callers;
    struct hpm_profile profile;
    struct profiler_entry {
        struct cpuring_record
            record; /* its words are a copy of its own, or NULL:
                                         of samples without callers */
        uint64_t address;
        size_t number; /* of two at one time the first one */
    } * queue;         /* what came, and is not to be followed yet */
    size_t n_queue, queue_capacity;
    size_t n_settled; /* hits of the profile that are */
    uint64_t next_ns; /* when the rings are to be read again */
    bool is_lacking;  /* memory */
};

/* Sample the process from its exec on; begin with {0}, clear it in any case. */
bool profiler_open(struct profiler *profiler,
                   const struct hpm_sampling *sampling, pid_t pid,
                   struct hpm_error *err);

/* Read the rings where it is time. */
void profiler_look(struct profiler *profiler);

/* The program has ended: no more samples. */
void profiler_end(struct profiler *profiler);

/* Give the profile to an experiment, whose first record it is of. */
bool profiler_give(struct profiler *profiler,
                   struct hpm_experiment *experiment);

void profiler_clear(struct profiler *profiler);

#endif
