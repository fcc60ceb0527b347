/* SPDX-License-Identifier: BSD-3-Clause
 * Call chains: the caller of a place in the program, the caller of that caller,
 * and so on.  They are kept as a tree: the outer part that several chains share
 * is there once. */
#ifndef HPM_MODEL_CHAINS_H
#define HPM_MODEL_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A caller: the place to which the call returns. */
struct hpm_chain {
    uint32_t caller; /* number of the caller's own chain; 0: not known */
    uint32_t is_cut; /* 1: no caller, but a sign that there are more than were
                    * recorded */
    size_t module;   /* see struct hpm_profile_hit */
    uint64_t offset; /* of the instruction after the call */
};

/* Start from {0}. */
struct hpm_chains {
    struct hpm_chain *chains; /* number n is at n - 1; a caller comes before its
                               * callees */
    size_t n_chains, capacity;
    uint32_t *slots;
    size_t n_slots; /* a power of two, or 0 */
};

/* The number of this chain, which is added if it is new; 0 when memory runs
 * out. */
uint32_t hpm_chains_add(struct hpm_chains *chains,
                        const struct hpm_chain *chain);

void hpm_chains_clear(struct hpm_chains *chains);

#endif
