/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses where in its first period a thread is first sampled: anywhere, at
 * random.
 *
 * The kernel begins with a whole period, so all threads of one kind would be
 * sampled at the same places.  So we give the kernel a random first period and,
 * when we see its sample, the rest of the next period, until there are so many
 * samples that the thread's phase does not matter.
 *
 *     0        R              R + P            R + 2P        wanted
 *     |----|---|----|----|----|----------------|------->
 *      step step          seen: the next steps divide the rest
 *
 * Until we see the sample, the kernel repeats the same step.  So steps are
 * parts of the wanted distance, short enough that one of them ends near the
 * next wanted place.  The kernel takes more samples than wanted; of the samples
 * that we see together, only the nearest to each wanted place is kept. */
#ifndef HPM_SOURCE_PHASE_H
#define HPM_SOURCE_PHASE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HPM_PHASE_SETTLES = 16
}; /* after so many samples, or up to twice that */

struct hpm_phase {
    uint64_t period;  /* the wanted period */
    uint64_t least;   /* shortest period that the kernel is given */
    uint64_t step;    /* the kernel's period now */
    uint64_t since;   /* the event's count when `step` began */
    int64_t gone;     /* part of a period passed at that count; below 0: the
                       * first place is more than a period ahead */
    int64_t credit;   /* the same at the last sample */
    bool has_last;    /* there is a sample since then */
    int n_kept_here;  /* samples kept since then */
    unsigned n_kept;  /* samples kept before */
    unsigned settles; /* the phase is settled after so many samples */
    unsigned random;  /* 1: one step more than needed */
    bool is_settled;  /* the kernel's period is the wanted one for good: all
                       * samples are kept */
};

/* Begin at count 0, with a random number.  `step` is then the kernel's first
 * period. */
void hpm_phase_begin(struct hpm_phase *phase, uint64_t period, uint64_t least,
                     uint64_t random);

/* Another sample has come, in a phase that is not settled: keep the one before
 * it? */
bool hpm_phase_keeps_last(struct hpm_phase *phase);

/* All samples up to this count were seen: keep the last one?  From now on the
 * kernel's period is `step`, and a new period begins. */
bool hpm_phase_go_on(struct hpm_phase *phase, uint64_t count);

#endif
