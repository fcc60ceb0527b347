/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of one stretch of time after the other, told while they are made. */
#ifndef HPMCOUNT_INTERVALS_H
#define HPMCOUNT_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hpmcount/options.h"
#include "hpmcount/outputs.h"
#include "hpmcount/watch.h"
#include "source/meter.h"

struct intervals {
    const struct options *options;
    const struct outputs *outputs;
    const struct hpm_meter *meter;
    const struct watch_part *parts;
    size_t n_parts;
    uint64_t *first, *before; /* rows of a meter's slots, one for each part */
    uint64_t first_ns, before_ns; /* when they were read: hpm_clock_instant */
    uint64_t next_ns;             /* when the next interval ends */
    bool is_open;                 /* the first reading is there */
};

/* None as yet; next_ns is never. */
void intervals_prepare(struct intervals *ret_intervals,
                       const struct options *options,
                       const struct outputs *outputs);

/* The counting begins with these rows: tell the heading.  Nothing happens where no
 * intervals are wanted.  `parts` NULL: one, of all.  False when memory runs out. */
bool intervals_begin(struct intervals *intervals, const struct hpm_meter *meter,
                     const struct watch_part *parts, size_t n_parts,
                     const uint64_t *rows, uint64_t ns, struct hpm_error *err);

/* Is it time to read? */
bool intervals_are_due(const struct intervals *intervals);

/* Tell what was counted since the last reading. */
void intervals_add(struct intervals *intervals, const uint64_t *rows,
                   uint64_t ns);

/* The last reading: tell what was counted since, and the sums of all
 * intervals. */
void intervals_end(struct intervals *intervals, const uint64_t *rows,
                   uint64_t ns);

void intervals_clear(struct intervals *intervals);

#endif
