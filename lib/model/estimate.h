/* SPDX-License-Identifier: BSD-3-Clause
 * Estimates a count for the whole time from a counter that took turns with
 * others.
 *
 * The counter counted C while it had the hardware, for S of the time T.  The
 * estimate of MPX (May 2001, section 4) is N = C T / S.  How good the estimate
 * is shows only in how the rate differs between parts of the time.  So
 * differences of consecutive readings (*steps*: activations of a section, or
 * slices of a long one) are summed in blocks, 9 to 16 of them once there are
 * enough; the standard error is that of the delete-a-block jackknife, without a
 * correction for a finite population.  The share S / T alone does not tell the
 * error.  Nor do turns in which nothing was counted: then the error is not
 * known.
 *
 * An *on-window* is a time in which the counter had the hardware.  Only windows
 * that the readings can tell apart are counted; with fewer than 4 there is no
 * estimate. */
#ifndef HPM_MODEL_ESTIMATE_H
#define HPM_MODEL_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/state.h"

enum { HPM_MOST_BLOCKS = 16, HPM_FEWEST_WINDOWS = 4 };

/* Differences of two readings: the count, the nanoseconds for which the counter
 * was wanted, and those for which it had the hardware.  Arithmetic is modulo
 * 2^64: a negative part wraps. */
struct hpm_turns {
    uint64_t count, enabled, running;
};

/* Steps in the order of time, in constant memory.  Start from {0}. */
struct hpm_blocks {
    struct hpm_turns blocks[HPM_MOST_BLOCKS];
    struct hpm_turns sum;    /* of all steps */
    unsigned n_blocks;       /* the last may have fewer steps */
    uint64_t n_per_block;    /* steps of a full block, a power of 2; 0: no block
                              * yet */
    uint64_t n_in_last;      /* steps of the last block */
    uint64_t n_windows;      /* on-windows seen */
    struct hpm_turns latest; /* last step, to know whether the next one
                              * continues its window */
};

/* The estimate for the whole time. */
struct hpm_estimate {
    enum hpm_state state; /* counted, shared, brief or unscheduled; the first
                           * two have a value */
    uint64_t value;
    double share;       /* S / T, 0..1; NAN if the counter was never wanted */
    uint64_t n_windows; /* 0: not known */
    unsigned freedom;   /* degrees of freedom of the error; 0: not known */
    double error;       /* standard error; NAN if not known, as for a shared
                         * value of 0 */
};

/* The estimate N = C T / S, to the nearest integer, in 128 bits; `running` is
 * not 0. */
uint64_t hpm_estimate_scale(const struct hpm_turns *turns);

/* Add a step: the differences since the last step. */
void hpm_blocks_add(struct hpm_blocks *blocks, const struct hpm_turns *step);

/* Add a step; `sum` is all since the begin. */
void hpm_blocks_reach(struct hpm_blocks *blocks, const struct hpm_turns *sum);

/* Call this if later steps will be as long as the present blocks: from now on
 * each block counts as one step.  True if blocks were folded since the last
 * call; else nothing changes. */
bool hpm_blocks_lengthen(struct hpm_blocks *blocks);

/* Add all blocks of another thread's `other` as later steps. */
void hpm_blocks_append(struct hpm_blocks *blocks,
                       const struct hpm_blocks *other);

/* Make the estimate from the sum of all steps, and from the blocks.  `blocks`
 * may be NULL: then a shared value has neither windows nor error. */
void hpm_estimate_make(const struct hpm_turns *sum,
                       const struct hpm_blocks *blocks,
                       struct hpm_estimate *ret_estimate);

/* How many standard errors the true value lies within in 95 of 100 cases (the
 * quantile of Student's t).  NAN for 0. */
double hpm_estimate_reach(unsigned freedom);

#endif
