/* SPDX-License-Identifier: BSD-3-Clause
 * Where in its first period a thread is sampled first: anywhere, by chance.
 *
 * The kernel begins with a whole period, so that threads of one kind would all be
 * sampled at the same places.  So the kernel is given a period by chance first, and,
 * when its sample is seen, what is left of the next one, until there are samples
 * enough that where the thread's phase is does not matter.
 *
 *     0        R              R + P            R + 2P        wanted
 *     |----|---|----|----|----|----------------|------->
 *      step step          seen: the next steps are of what is left
 *
 * Until that is seen the kernel goes on with the same steps: so they are parts of
 * what is wanted, short enough that one of them is near the next place that is
 * wanted.  What the kernel takes more often than that is left out: of all samples
 * that are seen together the nearest to each such place is kept. */
#ifndef HPM_SOURCE_PHASE_H
#define HPM_SOURCE_PHASE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HPM_PHASE_SETTLES = 16
}; /* after so many samples, or up to twice that */

struct hpm_phase {
    uint64_t period;  /* wanted */
    uint64_t least;   /* the kernel is given no shorter one */
    uint64_t step;    /* the kernel's period now */
    uint64_t since;   /* count of the event where that began */
    int64_t gone;     /* of a period, at that count; below 0: of the first */
    int64_t credit;   /* likewise at the last sample */
    bool has_last;    /* there is one since then */
    int n_kept_here;  /* since then */
    unsigned n_kept;  /* before */
    unsigned settles; /* at so many */
    unsigned random;  /* 1: a step more than needed */
    bool is_settled;  /* the kernel's period is the wanted one, and stays: all
                         samples are kept */
};

/* Begin at count 0, with a number by chance.  `step` is the kernel's first period. */
void hpm_phase_begin(struct hpm_phase *phase, uint64_t period, uint64_t least,
                     uint64_t random);

/* Another sample has come, of a phase that is not settled: is the one before it to be
 * kept? */
bool hpm_phase_keeps_last(struct hpm_phase *phase);

/* All samples that came until this count were seen: is the last one to be kept?  The
 * kernel's period from now on is `step`, and begins anew. */
bool hpm_phase_go_on(struct hpm_phase *phase, uint64_t count);

#endif
