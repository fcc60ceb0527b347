/* SPDX-License-Identifier: BSD-3-Clause
 * Does the steps of a sequence (sequence.h) through the public calls: its
 * threads take turns, so that steps happen in their order. */
#ifndef TESTS_RECORD_PERFORM_H
#define TESTS_RECORD_PERFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A call to be made by a door.  Parents are those of libhpm.h. */
struct perform_call {
    int id, parent, line;
    bool is_process;
    const char *label, *file;
};

/* A language.  A loaded door has functions "door_start" and "door_stop", or
 * "door_run"; the rest is as in C. */
struct perform_door {
    const char *name;
    bool has_lines, has_parents, has_scopes; /* see world.h */
    void (*start)(const struct perform_call *call);
    void (*stop)(const struct perform_call *call);
    void (*run)(void); /* the calling thread does its steps, by perform_next */
};

/* The last name is NULL. */
extern const struct perform_door perform_doors[];

/* Results, in memory shared by the processes. */
struct perform_report {
    int n_processes;
    pid_t pids[64]; /* in the order of forks */
};

/* Do all steps, and end the process: does not return.  `counter` is incremented
 * by the steps. */
void perform(const struct sequence *sequence, const struct perform_door *door,
             long long *counter, struct perform_report *report);

/* ---- for doors that run threads themselves --------------------------- */

/* Wait for the calling thread's turn and return its next step; NULL at its
 * end. */
const struct sequence_step *perform_next(void);

/* Do a step as in C. */
void perform_step(const struct sequence_step *step);

/* The call of a step. */
struct perform_call perform_call_of(const struct sequence_step *step);

#ifdef __cplusplus
}
#endif

#endif
