/* SPDX-License-Identifier: BSD-3-Clause
 * What a counter that took turns with others tells of the whole time.
 *
 * It counted C while it had the hardware, S of the time T: MPX's estimate (May
 * 2001, section 4) is N = C T / S.  How good that is shows only how the rate
 * differs between parts of the time: so differences of consecutive readings
 * (*steps*: activations of a section, or slices of a long one) are summed up in
 * blocks, 9 to 16 of them once there are enough, and the standard error is that
 * of the delete-a-block jackknife, without a correction for a finite population.
 * The share S / T alone says nothing of the error, nor do turns in which
 * nothing was counted: then the error is not known.
 *
 * An *on-window* is a time in which the counter had the hardware.  Of them those
 * are counted that the readings can tell apart; with fewer than 4 there is no
 * ground for a number.
 */
#ifndef HPM_MODEL_ESTIMATE_H
#define HPM_MODEL_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/state.h"

enum { HPM_MOST_BLOCKS = 16, HPM_FEWEST_WINDOWS = 4 };

/* Differences of two readings: the count, and the nanoseconds for which it was
 * wanted and for which it was on the hardware.  Arithmetic is that of uint64_t:
 * a part that is below 0 is one that wraps. */
struct hpm_turns {
    uint64_t count, enabled, running;
};

/* Steps in the order of time, in constant room.  All 0 is a good beginning. */
struct hpm_blocks {
    struct hpm_turns blocks[HPM_MOST_BLOCKS];
    struct hpm_turns sum;    /* of all */
    unsigned n_blocks;       /* begun; the last may have fewer steps */
    uint64_t n_per_block;    /* steps of a full block, a power of 2; 0: none */
    uint64_t n_in_last;      /* steps of the last one */
    uint64_t n_windows;      /* on-windows that were seen */
    struct hpm_turns latest; /* step, to know a window that goes on */
};

/* What is known of the whole time. */
struct hpm_estimate {
    enum hpm_state state; /* counted, shared, brief or unscheduled; with the
                             first two there is a value */
    uint64_t value;
    double share;       /* S / T, 0..1; NAN where it was never wanted */
    uint64_t n_windows; /* 0: not known */
    unsigned freedom;   /* degrees of freedom of the error; 0: not known */
    double error;       /* standard error; NAN where it is not known, as of a
                           shared value of 0 */
};

/* The estimate N = C T / S, to the nearest integer, in 128 bits; `running` is
 * not 0. */
uint64_t hpm_estimate_scale(const struct hpm_turns *turns);

/* A step: what has been used since the last one. */
void hpm_blocks_add(struct hpm_blocks *blocks, const struct hpm_turns *step);

/* The same, by all that has been used since the beginning. */
void hpm_blocks_reach(struct hpm_blocks *blocks, const struct hpm_turns *sum);

/* Where blocks have been folded since the last time, steps come from now on as
 * long as the blocks are, and each of them is one again. */
bool hpm_blocks_lengthen(struct hpm_blocks *blocks);

/* All of `other`, which was another thread's, follows. */
void hpm_blocks_append(struct hpm_blocks *blocks,
                       const struct hpm_blocks *other);

/* What the sum of all, and how it came about, tell.  `blocks` may be NULL: then
 * a shared value has neither windows nor error. */
void hpm_estimate_make(const struct hpm_turns *sum,
                       const struct hpm_blocks *blocks,
                       struct hpm_estimate *ret_estimate);

/* Half of the interval that has the true value in 95 of 100 cases: so many
 * standard errors (the quantile of Student's t).  NAN for 0. */
double hpm_estimate_reach(unsigned freedom);

#endif
