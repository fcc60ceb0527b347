/* SPDX-License-Identifier: BSD-3-Clause
 * The "measured" sections of a performance file, and the calibrated costs of
 * measuring. */
#ifndef HPM_CALLS_H
#define HPM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The time in nanoseconds, or a counter, in one or several sections. */
struct measure {
    char *name; /* "time", else the counter's */
    char *unit;
    bool is_corrected; /* false: no overhead is ever subtracted */
    bool is_shared;    /* took turns: its values are estimates and left out */
    uint64_t *read;    /* by section: the value as read */
    uint64_t *left;    /* by section: without the overhead, as in the file */
    size_t n_sections;
    size_t read_capacity, left_capacity;
    uint64_t n_calls; /* of all sections */
    double deviation; /* over the last section's calls; NAN for one call */
};

/* The cost for the time or a counter, in one calibration. */
struct cost {
    char *name;
    char scope[16], when[16]; /* "thread" or "process", "init" or "end" */
    uint64_t n_calls;
    int64_t self[3]; /* in an empty section: min, median, max */
    int64_t pair[3]; /* in the section around it */
};

/* Measures (time first, then counters with values that are shown) and costs. */
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

/* The measure of that name, or NULL. */
const struct measure *calls_find(const struct calls *calls, const char *name);

#endif
