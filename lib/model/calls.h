/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls of a section, sampled so that each call of all had the same
 * chance: what each used, inclusive, without the overhead of measuring. */
#ifndef HPM_MODEL_CALLS_H
#define HPM_MODEL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hpm_call {
    uint64_t number;   /* among the outermost calls of its thread: 1, 2 ... */
    int64_t begin, ns; /* begin is nanoseconds since the begin of the run, ns
                        * the duration */
};

/* The value of one counter in one call.  A value below 0 is kept. */
struct hpm_call_count {
    int64_t value;
    bool is_there;    /* false: not known */
    bool is_estimate; /* the counter had the hardware for a part of the call */
};

/* The sampled calls of one record. */
struct hpm_calls {
    size_t record;
    uint64_t n_made; /* number of all calls */
    size_t n;
    size_t n_counters; /* they are the first counters of the experiment */
    struct hpm_call *calls;
    struct hpm_call_count *counts; /* n rows of n_counters */
};

#endif
