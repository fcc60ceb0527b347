/* SPDX-License-Identifier: BSD-3-Clause
 * Runs tests/programs/hotpath and counts the instructions of each start and
 * stop in it, by ptrace: it is stepped through from the first instruction of
 * hpmTstartAt or hpmTstopAt, or the entries of Fortran, to the return.  That
 * takes no counters.  A system call is one instruction, and so is a repeated
 * string instruction, as a counter of instructions sees them.  x86-64 only. */
#ifndef TESTS_RECORD_STEPPER_H
#define TESTS_RECORD_STEPPER_H

#include <stdbool.h>

enum stepper_edge { START, STOP, N_EDGES };

/* What the program says of its calls; as there. */
enum stepper_kind { UNCOUNTED, COLD, HOT };

/* Calls of more instructions are not stepped to their end. */
enum { STEPPER_MAX_STEPS = 5000 };

struct stepper_job {
    const char *program; /* in tests/programs */
    const char
        *settings[2];     /* "NAME=VALUE" in the program's environment, alone of
                                their kind; NULL: none */
    const char *n_passes; /* arguments of the program */
    const char *every;
    unsigned max_cold_steps; /* as STEPPER_MAX_STEPS, for cold calls */

    /* One call: of which case, and how many instructions. */
    void (*counted)(void *context, const char *name, enum stepper_edge edge,
                    enum stepper_kind kind, unsigned n_steps);
    void *context;
};

enum stepper_end {
    STEPPER_COMPLETE,
    STEPPER_BROKEN,    /* it began, but did not end well */
    STEPPER_IMPOSSIBLE /* not on this machine */
};

/* If not complete, *ret_reason says why. */
enum stepper_end stepper_run(const struct stepper_job *job,
                             const char **ret_reason);

#endif
