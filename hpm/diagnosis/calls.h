/* SPDX-License-Identifier: BSD-3-Clause
 * What a performance file says of the sections "measured", and what measuring
 * was calibrated to cost. */
#ifndef HPM_CALLS_H
#define HPM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The time, in nanoseconds, or a counter, in one section or in several. */
struct measure {
    char *name; /* "time", else the counter's */
    char *unit;
    bool is_corrected; /* false: nothing is ever taken off it */
    bool is_shared;    /* took turns: its values are estimates, left out here */
    uint64_t *read;    /* of each section, as it was read */
    uint64_t *left;    /* less what measuring added: what the file shows */
    size_t n_sections;
    size_t read_capacity, left_capacity;
    uint64_t n_calls; /* of all of them */
    double deviation; /* of the last one's calls; NAN when there was one */
};

/* Of the time or a counter, in one calibration. */
struct cost {
    char *name;
    char scope[16], when[16]; /* "thread" or "process", "init" or "end" */
    uint64_t n_calls;
    int64_t self[3]; /* what an empty section reads: min, median, max */
    int64_t pair[3]; /* what it adds to the section around it */
};

/* The time first, then the counters that have values and are shown. */
struct calls {
    struct measure *measures;
    size_t n_measures;
    size_t measures_capacity;
    struct cost *costs;
    size_t n_costs;
    size_t costs_capacity;
};

/* Start from {0}. */
void calls_clear(struct calls *calls);

/* Fill `calls` from a performance file.  False when it cannot be read or has no
 * section "measured". */
bool calls_read(struct calls *calls, const char *path, struct hpm_error *err);

/* The measure of that name; NULL for none. */
const struct measure *calls_find(const struct calls *calls, const char *name);

#endif
