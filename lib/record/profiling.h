/* SPDX-License-Identifier: BSD-3-Clause
 * From the samples of threads to the profile of an experiment. */
#ifndef HPM_RECORD_PROFILING_H
#define HPM_RECORD_PROFILING_H

#include <stdbool.h>
#include <stddef.h>

#include "model/experiment.h"
#include "record/sampler.h"
#include "source/modules.h"
#include "source/sampling.h"

/* A profile in the making. */
struct hpm_profiling {
    struct hpm_experiment *experiment;
    struct hpm_modules *modules;
    size_t
        *numbers; /* of each of these in the profile, or HPM_PROFILE_NO_MODULE:
                        so far it has no sample */
    size_t process_outside; /* record of what no process section covers, or
                               HPM_NO_RECORD */
    size_t thread_outside;  /* likewise of the thread that is added */
};

/* Each of these is false when there is no memory. */

/* Begin, with what was sampled, and how many threads could not be; the experiment has
 * no profile yet.  End it in any case. */
bool hpm_profiling_begin(struct hpm_profiling *profiling,
                         struct hpm_experiment *experiment,
                         const struct hpm_sampling *sampling,
                         uint64_t n_without, struct hpm_modules *modules);

/* Add the samples of a thread, whose records begin at `first_record`: to its own
 * records, and to those of the process.  NULL: it was not sampled. */
bool hpm_profiling_add(struct hpm_profiling *profiling,
                       const struct hpm_sampler *samples, size_t first_record);

void hpm_profiling_end(struct hpm_profiling *profiling);

#endif
