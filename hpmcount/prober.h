/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of an unmodified program as sections (--section), by probes of the
 * kernel. */
#ifndef HPMCOUNT_PROBER_H
#define HPMCOUNT_PROBER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "hpmcount/mappings.h"
#include "hpmcount/probecosts.h"
#include "hpmcount/probeplan.h"
#include "hpmcount/proberings.h"
#include "hpmcount/probethreads.h"
#include "hpmcount/tracefs.h"
#include "model/experiment.h"

/* The prober of one run.  Without a plan (NULL) only prober_open does anything. */
struct prober {
    const struct probeplan *plan;
    const struct hpm_eventset *set;
    struct tracefs tracefs;
    struct tracefs
        own; /* for the costs, where others have defined the probes */
    struct probeplan others; /* without labels: see tracefs.h */
    enum proberings_extent extent;
    char *no_counts; /* why sections have no counters; NULL: they have */
    struct proberings rings;
    struct mappings mappings;
    struct hpm_profile modules;
    struct probethreads threads;
    struct probecosts costs;
    struct prober_entry {
        struct proberings_record record;
        size_t at;     /* of its words in the store */
        size_t number; /* of equal times the smaller number is first */
    } * queue;         /* read, but not to be followed yet */
    size_t n_queue, queue_capacity;
    uint64_t *store, *spare; /* words; those that still wait move over */
    size_t n_store, store_capacity, spare_capacity;
    uint64_t next_ns;
    bool is_lacking;
};

/* Set the probes, and follow the process from its exec on; clear in any case. */
bool prober_open(struct prober *prober, const struct probeplan *plan,
                 const struct hpm_eventset *set, pid_t pid,
                 struct hpm_error *err);

/* Read the rings if it is time. */
void prober_look(struct prober *prober);

/* The program has ended. */
void prober_end(struct prober *prober);

/* Add the sections to an experiment; false when memory runs out. */
bool prober_give(struct prober *prober, struct hpm_experiment *experiment);

void prober_clear(struct prober *prober);

#endif
