/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program and counting it, without disturbing it. */
#ifndef HPMCOUNT_LAUNCH_H
#define HPMCOUNT_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include "base/error.h"
#include "hpmcount/prober.h"
#include "hpmcount/profiler.h"
#include "hpmcount/relay.h"
#include "hpmcount/steps.h"
#include "hpmcount/witness.h"
#include "source/clock.h"
#include "source/meter.h"

/* What to run, and how. */
struct launch_request {
    char **argv; /* program and arguments; ends in NULL */
    const struct hpm_eventset *set;
    bool has_witness;  /* check whether the counts are reliable */
    uint64_t delay_ns; /* time after the start that is not counted */
    struct intervals *intervals;
    const struct hpm_sampling *sampling; /* NULL: no sampling */
    const struct probeplan *probes;      /* NULL: no probes */
};

/* A run that has ended. */
struct launch {
    const char *word;     /* argv[0] of the request */
    struct timespec date; /* of the start */
    struct hpm_instant start;
    struct hpm_instant counted_from; /* the start, or the end of the delay */
    struct hpm_instant end;
    int status;           /* of wait(2) */
    struct rusage usage;  /* of the program and all it waited for, since exec;
                           * the peak memory is that of its whole life */
    struct rusage before; /* of the child, before its exec */
    struct hpm_meter *meter;
    uint64_t counts[HPM_MAX_SLOTS]; /* difference of two readings */
    struct steps steps;             /* during the run */
    struct profiler profiler;
    struct prober prober;
    bool ends_early;    /* ended before the delay was over: no counts */
    bool is_left;       /* ignores SIGTERM and still runs; no usage */
    bool leaves_others; /* processes it started still run */
    bool hides_peak;    /* usage.ru_maxrss is that of the child before exec: the
                         * program was not larger */
    struct witness_finding finding; /* did the program lose its counters? */
    int n_allowed; /* processors that the program could use at its end, where
                    * they differ from hpmcount's (taskset); 0: the same */
    struct intervals *intervals;
    const struct attachment *attachment; /* for running targets; else NULL */
};

/* Run argv[0], found by PATH, and count these events from its exec on, while
 * `relay` handles signals.  Returns 0 when the program ran and ended (or was
 * left), else hpmcount's exit status: 125, or 126 or 127 when the program
 * cannot be started; err gives the reason. */
int launch_run(struct launch *ret_launch, const struct launch_request *request,
               struct relay *relay, struct hpm_error *err);

void launch_clear(struct launch *launch);

/* End hpmcount as the program ended: with its exit status, or by its signal, so
 * that a shell sees the program's end. */
void launch_end_like(int status) __attribute__((noreturn));

#endif
