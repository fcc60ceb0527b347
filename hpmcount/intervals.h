/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of consecutive time intervals, printed during the run. */
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
    uint64_t *first, *before;     /* slots of a meter, a row for each part */
    uint64_t first_ns, before_ns; /* times of these readings:
                                   * hpm_clock_instant */
    uint64_t next_ns;             /* end of the present interval */
    bool is_open;                 /* the first reading was made */
};

/* Set to no intervals yet; next_ns is never. */
void intervals_prepare(struct intervals *ret_intervals,
                       const struct options *options,
                       const struct outputs *outputs);

/* Counting begins with these rows: print the heading.  Does nothing where
 * intervals are not wanted.  `parts` NULL: one part, the whole.  False when
 * memory runs out. */
bool intervals_begin(struct intervals *intervals, const struct hpm_meter *meter,
                     const struct watch_part *parts, size_t n_parts,
                     const uint64_t *rows, uint64_t ns, struct hpm_error *err);

/* Is it time for a reading? */
bool intervals_are_due(const struct intervals *intervals);

/* Print the counts since the last reading. */
void intervals_add(struct intervals *intervals, const uint64_t *rows,
                   uint64_t ns);

/* The last reading: print the counts since the reading before, and the sums
 * over all intervals. */
void intervals_end(struct intervals *intervals, const uint64_t *rows,
                   uint64_t ns);

void intervals_clear(struct intervals *intervals);

#endif
