/* SPDX-License-Identifier: BSD-3-Clause
 * A witness of a run: counters of its own that see whether the counting of the
 * others can be believed. */
#ifndef HPMCOUNT_WITNESS_H
#define HPMCOUNT_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Did the kernel take counters away, as it does from a process that gains
 * privileges at an exec (set-user-ID, set-group-ID, capabilities of the file)
 * or executes what it may not read? */
enum loss {
    LOSS_NONE,     /* nothing says so */
    LOSS_POSSIBLE, /* processor time is missing that may have other causes */
    LOSS_PART,     /* more is missing than any other cause explains */
    LOSS_PROGRAM,  /* from the program, while it ran */
    LOSS_ALL,      /* from the program, before its first instruction */
};

/* What the witness has found, and the processor time behind it. */
struct witness_finding {
    enum loss loss;
    uint64_t used_ns; /* charged by the kernel to the program and all it waited
                         for, since the witness was there */
    uint64_t seen_ns; /* counted */
    bool is_clock_short; /* by more than a tenth: it is no processor time */
};

struct witness {
    pid_t program;
    uint64_t before_ns; /* processor time the program had used already */
    int clock;    /* processor time of the program and all it starts, or -1 */
    int faults;   /* page faults in user mode since its exec, or -1 */
    int presence; /* -1, or a counter mapped at: */
    void *page;
    size_t size;
    bool is_taken; /* the program had lost its counters while it ran */
};

/* One that sees nothing. */
#define WITNESS_BLIND                                                          \
    {                                                                          \
        .clock = -1, .faults = -1, .presence = -1                              \
    }

/* Watch the program `pid`, which still waits for its exec.  What cannot be
 * opened sees nothing. */
void witness_open(struct witness *ret_witness, pid_t pid);

/* While the program runs, not too often: does it have its counters still? */
void witness_look(struct witness *witness);

/* After the program's end: does anything it started still run?  False where
 * that is not known. */
bool witness_sees_others(const struct witness *witness);

/* After the program's end: what became of the counters?  `usage` is what wait4
 * says of the program, of whose processes at least `n_ends` have ended. */
struct witness_finding witness_judge(const struct witness *witness,
                                     const struct rusage *usage,
                                     uint64_t n_ends);

void witness_close(struct witness *witness);

#endif
