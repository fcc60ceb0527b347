/* SPDX-License-Identifier: BSD-3-Clause
 * The witness of a run: extra counters that show whether the other counts are
 * reliable. */
#ifndef HPMCOUNT_WITNESS_H
#define HPMCOUNT_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Did the kernel remove counters?  It does so for a process that gains
 * privileges at an exec (set-user-ID, set-group-ID, file capabilities) or
 * executes a file that it may not read. */
enum loss {
    LOSS_NONE,     /* no sign of a loss */
    LOSS_POSSIBLE, /* missing processor time, perhaps for other reasons */
    LOSS_PART,     /* more is missing than other reasons explain */
    LOSS_PROGRAM,  /* the program lost them while it ran */
    LOSS_ALL,      /* the program lost them before its first instruction */
};

/* The result of the witness, and the processor times behind it. */
struct witness_finding {
    enum loss loss;
    uint64_t used_ns; /* charged by the kernel to the program and all it waited
                       * for, since the witness was opened */
    uint64_t seen_ns; /* counted */
    bool is_clock_short; /* by more than a tenth: the clock does not show the
                          * processor time */
};

struct witness {
    pid_t program;
    uint64_t before_ns; /* processor time of the program before the witness */
    int clock;    /* processor time of the program and all it starts, or -1 */
    int faults;   /* page faults in user mode since exec, or -1 */
    int presence; /* -1, or a counter mapped at `page` */
    void *page;
    size_t size;
    bool is_taken; /* the program lost its counters while running */
};

/* A witness that sees nothing. */
#define WITNESS_BLIND                                                          \
    {                                                                          \
        .clock = -1, .faults = -1, .presence = -1                              \
    }

/* Watch the program `pid`, which still waits for its exec.  A counter that
 * cannot be opened is left out. */
void witness_open(struct witness *ret_witness, pid_t pid);

/* While the program runs, not too often: check whether it still has its
 * counters. */
void witness_look(struct witness *witness);

/* After the program's end: do processes that it started still run?  False where
 * this is not known. */
bool witness_sees_others(const struct witness *witness);

/* After the program's end: were counters lost?  `usage` is from wait4; at least
 * `n_ends` of the program's processes have ended. */
struct witness_finding witness_judge(const struct witness *witness,
                                     const struct rusage *usage,
                                     uint64_t n_ends);

void witness_close(struct witness *witness);

#endif
