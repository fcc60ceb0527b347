/* SPDX-License-Identifier: BSD-3-Clause
 * Call chains: from where a place in the program was called, from where that one,
 * and so on.  They are kept as a tree: of chains that begin alike at the outer end
 * that part is there once. */
#ifndef HPM_MODEL_CHAINS_H
#define HPM_MODEL_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A caller, to which the call returns there. */
struct hpm_chain {
    uint32_t caller; /* number of the chain from which it was called; 0: none is
                        known */
    uint32_t
        is_cut;    /* 1: there are more callers than are told, and it says only
                        that */
    size_t module; /* as of a hit */
    uint64_t offset; /* of the instruction behind the call */
};

/* Start from {0}. */
struct hpm_chains {
    struct hpm_chain *chains; /* number n is at n - 1; callers come first */
    size_t n_chains, capacity;
    uint32_t *slots;
    size_t n_slots; /* a power of two, or 0 */
};

/* The number of this chain, which is added where it is not there yet; 0 when there
 * is no memory. */
uint32_t hpm_chains_add(struct hpm_chains *chains,
                        const struct hpm_chain *chain);

void hpm_chains_clear(struct hpm_chains *chains);

#endif
