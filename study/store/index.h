/* SPDX-License-Identifier: BSD-3-Clause
 * Finding the place of a thing in an array by what it is. */
#ifndef HPM_STUDY_STORE_INDEX_H
#define HPM_STUDY_STORE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/arena.h"

/* Start from {0}; its memory is the arena's.  Places are below UINT32_MAX. */
struct hpm_index {
    struct hpm_index_slot *slots;
    size_t n_slots; /* a power of two */
    size_t n_used;
    uint64_t seed[2];
};

/* The place of no thing. */
#define HPM_NO_PLACE UINT32_MAX

/* Is the thing at `place` of the array the one of `key`? */
typedef bool hpm_index_match(const void *array, uint32_t place,
                             const void *key);

/* The place of the thing whose key has these bytes, which hold no padding that
 * differs; HPM_NO_PLACE when there is none. */
uint32_t hpm_index_find(const struct hpm_index *index, const void *key,
                        size_t key_bytes, hpm_index_match *match,
                        const void *array);

/* Remember that a thing not in the index yet is at `place`; false when there
 * is no memory. */
bool hpm_index_add(struct hpm_index *index, struct hpm_arena *arena,
                   const void *key, size_t key_bytes, uint32_t place);

/* The place of the thing of this key; if there is none, `place`, which it has
 * from now on; HPM_NO_PLACE when there is no memory. */
uint32_t hpm_index_find_or_add(struct hpm_index *index, struct hpm_arena *arena,
                               const void *key, size_t key_bytes,
                               hpm_index_match *match, const void *array,
                               uint32_t place);

#endif
