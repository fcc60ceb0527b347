/* SPDX-License-Identifier: BSD-3-Clause
 * Run a program and count it, itself undisturbed. */
#ifndef HPMCOUNT_LAUNCH_H
#define HPMCOUNT_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include "base/error.h"
#include "hpmcount/profiler.h"
#include "hpmcount/relay.h"
#include "hpmcount/steps.h"
#include "hpmcount/witness.h"
#include "source/clock.h"
#include "source/meter.h"

/* What to run, and how. */
struct launch_request {
    char **argv; /* program and arguments, NULL-ended */
    const struct hpm_eventset *set;
    bool has_witness;  /* watch whether the counting can be believed */
    uint64_t delay_ns; /* from the start on, in which nothing is counted */
    struct intervals *intervals;
    const struct hpm_sampling *sampling; /* NULL: nothing is sampled */
};

/* A run that has ended. */
struct launch {
    const char *word;     /* what was run: argv[0] of the request */
    struct timespec date; /* of the start */
    struct hpm_instant start;
    struct hpm_instant counted_from; /* the start, or the end of the delay */
    struct hpm_instant end;
    int status;           /* of wait(2) */
    struct rusage usage;  /* of the program and all it waited for, from its exec
                          * on; the largest size is that of all its life */
    struct rusage before; /* of the child, until its exec */
    struct hpm_meter *meter;
    uint64_t counts[HPM_MAX_SLOTS]; /* difference of two readings */
    struct steps steps;             /* between them */
    struct profiler profiler;
    bool ends_early;    /* before the delay was over: nothing was counted */
    bool is_left;       /* it ignores SIGTERM and still runs; no usage */
    bool leaves_others; /* what it has started still runs */
    bool hides_peak; /* usage.ru_maxrss is the child's, before its exec: of the
                         * program it is only known that it was not larger */
    struct witness_finding finding; /* were counters taken away? */
    int n_allowed; /* processors that the program could use at its end, where they
                    * are others than hpmcount's (taskset); 0: the same */
    struct intervals *intervals;
    const struct attachment *attachment; /* of what ran already; NULL: none */
};

/* Run argv[0], found by PATH, with these events counted from its exec on,
 * while `relay` looks after signals.  Returns 0 when the program has run and
 * ended (or was left), else the exit status for hpmcount: 125, or 126 or 127
 * when the program cannot be started; err says why. */
int launch_run(struct launch *ret_launch, const struct launch_request *request,
               struct relay *relay, struct hpm_error *err);

void launch_clear(struct launch *launch);

/* End hpmcount as the program ended: with its exit status, or by its signal,
 * so that a shell sees what it would have seen. */
void launch_end_like(int status) __attribute__((noreturn));

#endif
