/* SPDX-License-Identifier: BSD-3-Clause
 * Does what a program of a sequence (sequence.h) says, through the public calls:
 * its threads take turns, so that the order of the steps is that of time. */
#ifndef TESTS_RECORD_PERFORM_H
#define TESTS_RECORD_PERFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sequence.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A call, as a door is to make it.  A parent is that of libhpm.h. */
struct perform_call {
    int id, parent, line;
    bool is_process;
    const char *label, *file;
};

/* A language.  One that is loaded has functions "door_start" and "door_stop", or
 * "door_run"; the rest is as in C. */
struct perform_door {
    const char *name;
    bool has_lines, has_parents, has_scopes; /* see world.h */
    void (*start)(const struct perform_call *call);
    void (*stop)(const struct perform_call *call);
    void (*run)(void); /* the calling thread does its steps, by perform_next */
};

/* The last line is NULL. */
extern const struct perform_door perform_doors[];

/* What is seen of it from outside; in memory that processes share. */
struct perform_report {
    int n_processes;
    pid_t pids[64]; /* in the order of forks */
};

/* Do all of it, and end the process: it does not return.  `counter` is what the steps count up. */
void perform(const struct sequence *sequence, const struct perform_door *door,
             long long *counter, struct perform_report *report);

/* ---- for doors that run threads themselves --------------------------- */

/* The calling thread's next step, when it has its turn; NULL at its end. */
const struct sequence_step *perform_next(void);

/* Do a step as C does. */
void perform_step(const struct sequence_step *step);

/* The call of a step. */
struct perform_call perform_call_of(const struct sequence_step *step);

#ifdef __cplusplus
}
#endif

#endif
