/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment that is built up again from a journal: what is known of the run, and
 * its section tables as the recorder had them, closed. */
#ifndef HPM_STUDY_RECOVER_REVIVAL_H
#define HPM_STUDY_RECOVER_REVIVAL_H

#include "record/calibration.h"
#include "model/experiment.h"
#include "record/calltree.h"
#include "record/run.h"
#include "record/sampler.h"
#include "source/clock.h"
#include "source/meter.h"
#include "study/recover/copies.h"
#include "study/recover/samples.h"

/* A section table. */
struct hpm_revived_table {
    int kind, tid, omp;
    size_t n_threads;
    struct hpm_eventset set; /* its events, of which is known what kind of time
                                they are, and whether what measuring does is
                                taken off */
    struct hpm_meter *meter;
    struct hpm_calltree *tree;
    struct hpm_node **nodes; /* by number */
    size_t n_nodes;
    struct hpm_sampler *samples; /* NULL: none */
    size_t first_record;
    bool omits_counts_outside; /* of these only the time is known */
};

struct hpm_revival {
    struct hpm_experiment *experiment;
    struct hpm_instant start, latest;
    bool is_tick;
    size_t n_counters; /* beside those of work */
    bool is_charged[HPM_MAX_ALL_EVENTS];
    struct hpm_calibration calibrations[HPM_N_CALIBRATIONS];
    struct hpm_samples_run samples;
    struct hpm_revived_table *tables;
    size_t n_tables;
    size_t n_wrong;
    size_t n_left_out; /* sections whose single calls are not in the copy */
    size_t n_no_room;  /* and those that have fewer here for want of memory */
    double ns_per_tick;
};

/* Stands for the source of an event that is charged; nobody reads it. */
extern const struct hpm_source hpm_revival_charged;

/* The costs it was charged with: those its scope was calibrated with. */
const struct hpm_calibration *
hpm_revival_calibration(const struct hpm_revival *revival, int kind);

/* The instant of a copy: the run lasted until the latest. */
void hpm_revival_take_instant(struct hpm_revival *revival,
                              struct hpm_words *words);

/* A text that is never NULL in an experiment. */
char *hpm_revival_read_text(struct hpm_words *words);

/* A table, behind its kind; `process` is that of the process, or NULL.  False where
 * the words are wrong or there is no memory: what has been read is to be cleared. */
bool hpm_revival_read_table(struct hpm_revival *revival,
                            const struct hpm_revived_table *process,
                            struct hpm_revived_table *table,
                            struct hpm_words *words);
void hpm_revival_clear_table(struct hpm_revived_table *table);

#endif
