/* SPDX-License-Identifier: BSD-3-Clause
 * Run a program and count it, itself undisturbed. */
#ifndef HPMCOUNT_LAUNCH_H
#define HPMCOUNT_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include "base/error.h"
#include "source/clock.h"
#include "source/meter.h"

/* A run that has ended. */
struct launch {
    struct timespec date; /* of the start */
    struct hpm_instant start;
    struct hpm_instant end;
    int status;          /* of wait(2) */
    struct rusage usage; /* of the program and all it waited for */
    struct hpm_meter *meter;
    uint64_t counts[HPM_MAX_SLOTS]; /* difference of two readings */
};

/* Run argv[0], found by PATH, with these events counted from its exec on.
 * While it runs, the signals a terminal sends reach the program directly and
 * do not end hpmcount; those others send to hpmcount are passed on.  Returns
 * 0 when the program has run and ended, else the exit status for hpmcount:
 * 125, or 126 or 127 when the program cannot be started; err says why. */
int launch_run(struct launch *ret_launch, char **argv,
               const struct hpm_eventset *set, struct hpm_error *err);

void launch_clear(struct launch *launch);

/* End hpmcount as the program ended: with its exit status, or by its signal,
 * so that a shell sees what it would have seen. */
void launch_end_like(int status) __attribute__((noreturn));

#endif
