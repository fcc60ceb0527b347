/* SPDX-License-Identifier: BSD-3-Clause
 * The profile of an experiment, made from the samples of threads. */
#ifndef HPM_RECORD_PROFILING_H
#define HPM_RECORD_PROFILING_H

#include <stdbool.h>
#include <stddef.h>

#include "model/experiment.h"
#include "record/sampler.h"
#include "source/modules.h"
#include "source/sampling.h"

/* A profile while it is made. */
struct hpm_profiling {
    struct hpm_experiment *experiment;
    struct hpm_modules *modules;
    size_t *numbers;        /* number of each module in the profile;
                             * HPM_PROFILE_NO_MODULE: it has no sample yet */
    size_t process_outside; /* record of what no process section covers, or
                               HPM_NO_RECORD */
    size_t thread_outside;  /* the same for the thread that is added */
};

/* Each of these returns false when there is no memory. */

/* Begin a profile, with the sampled events and the number of threads that could
 * not be sampled; the experiment has no profile yet.  Call hpm_profiling_end in
 * any case. */
bool hpm_profiling_begin(struct hpm_profiling *profiling,
                         struct hpm_experiment *experiment,
                         const struct hpm_sampling *sampling,
                         uint64_t n_without, struct hpm_modules *modules);

/* Add the samples of a thread, whose records begin at `first_record`: to its
 * own records, and to those of the process.  NULL: it was not sampled. */
bool hpm_profiling_add(struct hpm_profiling *profiling,
                       const struct hpm_sampler *samples, size_t first_record);

void hpm_profiling_end(struct hpm_profiling *profiling);

#endif
