/* SPDX-License-Identifier: BSD-3-Clause
 * A witness of a run: two counters of its own that see whether the counting
 * of the others can be believed. */
#ifndef HPMCOUNT_WITNESS_H
#define HPMCOUNT_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct witness {
    int clock;    /* processor time of the program and all it starts, or -1 */
    int presence; /* -1, or a counter mapped at: */
    void *page;
    size_t size;
};

/* One that sees nothing. */
#define WITNESS_BLIND {.clock = -1, .presence = -1}

/* Watch the program `pid`, which still waits for its exec.  What cannot be
 * opened sees nothing. */
void witness_open(struct witness *ret_witness, pid_t pid);

/* After the program's end: does anything it started still run?  False where
 * that is not known. */
bool witness_sees_others(const struct witness *witness);

/* Was processor time used that no counter saw, as when a program that gains
 * privileges takes them away?  `usage` is what wait4 says of the program.
 * Then *ret_used and *ret_seen are both, in nanoseconds.  False where that is
 * not known. */
bool witness_misses_time(const struct witness *witness,
                         const struct rusage *usage, uint64_t *ret_used,
                         uint64_t *ret_seen);

void witness_close(struct witness *witness);

#endif
