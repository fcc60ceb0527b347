/* SPDX-License-Identifier: BSD-3-Clause
 * Finding the index of an element of an array by its key. */
#ifndef HPM_STUDY_STORE_INDEX_H
#define HPM_STUDY_STORE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/arena.h"

/* Start from {0}; memory belongs to the arena.  Places are below UINT32_MAX. */
struct hpm_index {
    struct hpm_index_slot *slots;
    size_t n_slots; /* a power of two */
    size_t n_used;
    uint64_t seed[2];
};

/* The place of an element that is not there. */
#define HPM_NO_PLACE UINT32_MAX

/* Has the element at `place` of the array this key? */
typedef bool hpm_index_match(const void *array, uint32_t place,
                             const void *key);

/* The place of the element with this key; HPM_NO_PLACE when there is none.
 * Equal keys must have equal bytes, padding included. */
uint32_t hpm_index_find(const struct hpm_index *index, const void *key,
                        size_t key_bytes, hpm_index_match *match,
                        const void *array);

/* Note that an element that is not in the index yet is at `place`; false when
 * there is no memory. */
bool hpm_index_add(struct hpm_index *index, struct hpm_arena *arena,
                   const void *key, size_t key_bytes, uint32_t place);

/* The place of the element with this key; if there is none, it is now at
 * `place`, and this is returned.  HPM_NO_PLACE when there is no memory. */
uint32_t hpm_index_find_or_add(struct hpm_index *index, struct hpm_arena *arena,
                               const void *key, size_t key_bytes,
                               hpm_index_match *match, const void *array,
                               uint32_t place);

#endif
