/* SPDX-License-Identifier: BSD-3-Clause
 * Runs tests/programs/hotpath and counts the instructions of each start and
 * stop in it, by ptrace: each call is stepped through from the first
 * instruction of hpmTstartAt or hpmTstopAt, or the entries of Fortran, to its
 * return.  No counters are needed.  A system call is one instruction, and so is
 * a repeated string instruction, as for a counter of instructions.  x86-64
 * only. */
#ifndef TESTS_RECORD_STEPPER_H
#define TESTS_RECORD_STEPPER_H

#include <stdbool.h>

enum stepper_edge { START, STOP, N_EDGES };

/* The kinds of calls, as in the program. */
enum stepper_kind { UNCOUNTED, COLD, HOT };

/* Calls with more instructions are not stepped to their end. */
enum { STEPPER_MAX_STEPS = 5000 };

struct stepper_job {
    const char *program; /* in tests/programs */
    const char
        *settings[2];     /* "NAME=VALUE" in the program's environment, alone of
                                their kind; NULL: none */
    const char *n_passes; /* arguments of the program */
    const char *every;
    unsigned max_cold_steps; /* like STEPPER_MAX_STEPS, for cold calls */

    /* Called for each call: its case, and its number of instructions. */
    void (*counted)(void *context, const char *name, enum stepper_edge edge,
                    enum stepper_kind kind, unsigned n_steps);
    void *context;
};

enum stepper_end {
    STEPPER_COMPLETE,
    STEPPER_BROKEN,    /* it began, but failed */
    STEPPER_IMPOSSIBLE /* not possible on this machine */
};

/* If not complete, *ret_reason has the reason. */
enum stepper_end stepper_run(const struct stepper_job *job,
                             const char **ret_reason);

#endif
