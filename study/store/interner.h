/* SPDX-License-Identifier: BSD-3-Clause
 * Texts kept once: equal texts have one address. */
#ifndef HPM_STUDY_STORE_INTERNER_H
#define HPM_STUDY_STORE_INTERNER_H

#include <stddef.h>
#include <stdint.h>

#include "study/store/arena.h"

/* Start from {0}; its memory is the arena's. */
struct hpm_interner {
    struct hpm_arena *arena;
    const char **table; /* open addressing; NULL where free */
    size_t n_slots;     /* a power of two */
    size_t n_used;
    uint64_t seed[2];
};

/* The kept text equal to these bytes, which hold no NUL; NULL when there is no
 * memory. */
const char *hpm_interner_add(struct hpm_interner *names, const char *bytes,
                             size_t length);

/* The same for a text; NULL stays NULL. */
const char *hpm_interner_add_text(struct hpm_interner *names, const char *text);

/* A number for these bytes that nobody can foresee who does not know the seed:
 * texts made to collide in a table do not. */
uint64_t hpm_interner_hash(const uint64_t seed[2], const void *bytes,
                           size_t length);

/* A new seed. */
void hpm_interner_seed(uint64_t ret_seed[2]);

#endif
