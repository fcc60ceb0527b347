/* SPDX-License-Identifier: BSD-3-Clause
 * The expected results of a program of a sequence (sequence.h): a model
 * (model.h) of each thread that makes calls, and of the process, and the same
 * for each forked child. */
#ifndef TESTS_RECORD_WORLD_H
#define TESTS_RECORD_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "model.h"
#include "sequence.h"

enum {
    WORLD_MAX_TIDS = 256,
    WORLD_MAX_PROCESSES = 16,
    WORLD_MAX_SCOPES = 1000
};

/* What a language passes on of a call. */
struct world_door {
    bool has_lines;   /* else the line is 0 */
    bool has_parents; /* else the innermost section */
    bool has_scopes;  /* "(" is an object */
};

/* The open scopes of a thread, the last one innermost. */
struct world_scopes {
    int n;
    struct world_scope {
        int id;
        bool is_process;
    } open[WORLD_MAX_SCOPES];
};

struct world_thread {
    struct model model;
    bool is_there;    /* it has begun, and not ended yet */
    uint64_t outside; /* time that passed while none of its sections was
                       * measured */
};

struct world_process {
    int n_threads;
    struct world_thread threads[WORLD_MAX_TIDS]; /* by tid */
    int tids[SEQUENCE_N_THREADS];                /* -1: no call yet */
    struct world_scopes scopes[SEQUENCE_N_THREADS];
    struct model process;
    uint64_t n_problems; /* in addition to those of the models */
    int root;            /* the number of its first thread */
};

struct world {
    const struct sequence *sequence;
    struct world_door door;
    uint64_t now;
    int n_processes;
    struct world_process *processes[WORLD_MAX_PROCESSES]; /* in the order of
                                                           * forks */
    /* Called at a start or stop in a thread, or in the process (-1): a sample
     * is taken there. */
    void (*edge)(void *context, int tid, uint64_t now);
    void *context;
};

/* Do all steps of the first process, and of the others with it. */
void world_run(struct world *world, const struct sequence *sequence);

#endif
