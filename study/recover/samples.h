/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of a journal (record/snapshot.h): the run's sampled events, and
 * the samples of each table. */
#ifndef HPM_STUDY_RECOVER_SAMPLES_H
#define HPM_STUDY_RECOVER_SAMPLES_H

#include "record/sampler.h"
#include "source/modules.h"
#include "source/sampling.h"
#include "study/recover/copies.h"

/* Sampling in the run; n_events 0: nothing was sampled. */
struct hpm_samples_run {
    struct hpm_sampling sampling;
    struct hpm_modules modules;
    uint64_t n_without; /* threads that could not be sampled */
    uint64_t n_read;    /* samples, also lost ones, of all tables */
    uint64_t counts[HPM_MAX_SAMPLED]; /* counts of the events, of all tables */
    uint64_t
        n_elsewhere; /* samples in process sections that are not in the journal
                      * yet */
};

/* Start from {0}; clear it in any case. */
void hpm_samples_read_run(struct hpm_samples_run *run, struct hpm_words *words);
void hpm_samples_clear_run(struct hpm_samples_run *run);

/* Nodes of a table by their numbers. */
struct hpm_samples_nodes {
    struct hpm_node *const *all;
    size_t n;
};

/* Read the samples of a table, with its nodes and those of the process; NULL:
 * it was not sampled, or the samples are wrong. */
struct hpm_sampler *hpm_samples_read(struct hpm_samples_run *run,
                                     struct hpm_samples_nodes nodes,
                                     struct hpm_samples_nodes process,
                                     struct hpm_words *words);

#endif
