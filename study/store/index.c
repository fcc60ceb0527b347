/* SPDX-License-Identifier: BSD-3-Clause
 * A hash table of indices: open addressing, with the hashes kept. */
#include "study/store/index.h"

#include "study/store/keyedhash.h"

enum { FIRST_SLOTS = 64 };

struct hpm_index_slot {
    uint32_t place_plus_1; /* 0: free */
    uint32_t hash;
};

static uint32_t
hash_of(const struct hpm_index *index, const void *key, size_t key_bytes)
{
    return (uint32_t)hpm_keyedhash(index->seed, key, key_bytes);
}

static uint32_t
find(const struct hpm_index *index, uint32_t hash, const void *key,
     hpm_index_match *match, const void *array)
{
    for (size_t i = hash;; i++) {
        const struct hpm_index_slot *slot =
            &index->slots[i & (index->n_slots - 1)];

        if (slot->place_plus_1 == 0)
            return HPM_NO_PLACE;
        if (slot->hash == hash && match(array, slot->place_plus_1 - 1, key))
            return slot->place_plus_1 - 1;
    }
}

uint32_t
hpm_index_find(const struct hpm_index *index, const void *key, size_t key_bytes,
               hpm_index_match *match, const void *array)
{
    if (index->n_slots == 0)
        return HPM_NO_PLACE;
    return find(index, hash_of(index, key, key_bytes), key, match, array);
}

static void
put(struct hpm_index *index, struct hpm_index_slot slot)
{
    size_t i = slot.hash;

    while (index->slots[i & (index->n_slots - 1)].place_plus_1 != 0)
        i++;
    index->slots[i & (index->n_slots - 1)] = slot;
}

/* Keep the table at most two thirds full. */
static bool
make_room(struct hpm_index *index, struct hpm_arena *arena)
{
    struct hpm_index larger = *index;

    if ((index->n_used + 1) * 3 <= index->n_slots * 2)
        return true;
    if (index->n_slots == 0)
        hpm_keyedhash_seed(larger.seed);
    larger.n_slots = index->n_slots == 0 ? FIRST_SLOTS : 2 * index->n_slots;
    larger.slots = hpm_arena_new(arena, larger.n_slots, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < index->n_slots; i++) {
        if (index->slots[i].place_plus_1 != 0)
            put(&larger, index->slots[i]);
    }
    *index = larger;
    return true;
}

bool
hpm_index_add(struct hpm_index *index, struct hpm_arena *arena, const void *key,
              size_t key_bytes, uint32_t place)
{
    if (!make_room(index, arena))
        return false;
    put(index, (struct hpm_index_slot){.place_plus_1 = place + 1,
                                       .hash = hash_of(index, key, key_bytes)});
    index->n_used++;
    return true;
}

uint32_t
hpm_index_find_or_add(struct hpm_index *index, struct hpm_arena *arena,
                      const void *key, size_t key_bytes, hpm_index_match *match,
                      const void *array, uint32_t place)
{
    uint32_t hash, found;

    if (!make_room(index, arena))
        return HPM_NO_PLACE;
    hash = hash_of(index, key, key_bytes);
    found = find(index, hash, key, match, array);
    if (found != HPM_NO_PLACE)
        return found;
    put(index,
        (struct hpm_index_slot){.place_plus_1 = place + 1, .hash = hash});
    index->n_used++;
    return place;
}
