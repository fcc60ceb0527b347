/* SPDX-License-Identifier: BSD-3-Clause
 * Jobs: what a child process measures.  A job prints its results (timing.h),
 * or one line "refused WHY". */
#ifndef BENCH_JOB_H
#define BENCH_JOB_H

#include <stdbool.h>

/* Of libhpm, as the environment has set it up; false: there is no such job. */
bool bench_do_job(const char *name);

/* The same pair in a file compiled with -DHPM_OFF, and the loop around it. */
void bench_run_off(long n);
void bench_run_loop(long n);

/* What the program of job "empty" does, for whoever reads its performance
 * file: so many sections "empty 0" ..., each entered so often with nothing in
 * it; as many "outer 0" ... around one "inner"; with SDE events, a "counted"
 * that adds to the first counter, and an "around" that does so around an
 * "inside". */
enum {
    BENCH_EMPTY_SECTIONS = 16,
    BENCH_EMPTY_CALLS = 2000,
    BENCH_ADDED_COUNTED = 3,
    BENCH_ADDED_AROUND = 1,
    BENCH_ADDED_INSIDE = 5
};

#endif
