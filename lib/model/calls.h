/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls of a section, drawn from all of them so that each had the same
 * chance: what each used, inclusive, without what measuring added. */
#ifndef HPM_MODEL_CALLS_H
#define HPM_MODEL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hpm_call {
    uint64_t number;   /* among the outermost calls of its thread: 1, 2 ... */
    int64_t begin, ns; /* since the begin of the run; how long: nanoseconds */
};

/* Of one counter in one call.  A single call is not raised to 0. */
struct hpm_call_count {
    int64_t value;
    bool is_there;    /* false: nobody knows */
    bool is_estimate; /* the counter was on for a part of the call */
};

/* Those of one record. */
struct hpm_calls {
    size_t record;
    uint64_t n_made; /* calls there were */
    size_t n;
    size_t n_counters; /* the first ones of the experiment */
    struct hpm_call *calls;
    struct hpm_call_count *counts; /* n rows of n_counters */
};

#endif
